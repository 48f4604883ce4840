"""Reasons of actions at blackjack: how often standing wins, and which cards can come."""

from random import Random

import pytest

from tests.support.blackjack_rounds import BLACKJACK
from webapp.engine.cards import STANDARD_DECK, format_cards
from webapp.engine.errors import SetupError
from webapp.engine.odds import odds_of
from webapp.engine.odds.blackjack.odds import BlackjackOdds, _standing
from webapp.engine.odds.blackjack.spot import spot
from webapp.engine.odds.value import MemoryStore
from webapp.engine.twenty_one.hand import is_bust

ODDS = odds_of(BLACKJACK)
STORE = MemoryStore()


@pytest.mark.parametrize("table", BLACKJACK.spec.variants)
def test_wins_less_losses_are_the_value_of_standing_and_the_cards_that_bust_are_counted(table: str) -> None:
    assert isinstance(ODDS, BlackjackOdds)
    asked, rng = 0, Random(table)
    while asked < 25:
        up, *own = rng.sample(STANDARD_DECK, rng.choice((3, 3, 4)))
        try:
            state = spot(BLACKJACK, table, format_cards(own), str(up))
        except SetupError:
            continue
        asked += 1
        decision = ODDS.decision(state, STORE)
        options = {option.action.verb: option for option in decision.options}
        win, lose, _ = _standing(ODDS._known(state, ()), state.hand.total)
        assert float(options["stand"].value) / (state.box.bet or 1) == pytest.approx(win - lose)
        label = ODDS.reason(state, options["stand"].action, decision, STORE).label
        left = list(STANDARD_DECK * state.rules.decks)
        for card in (up, *own):
            left.remove(card)
        assert label.get("unseen") == len(left)
        assert label.get("bust") == sum(is_bust((*own, card)) for card in left)
        assert (label.code == "WHY_NO_RISK") is (label.get("bust") == 0)
        hitting = ODDS.reason(state, options["hit"].action, decision, STORE).label
        assert (hitting.code == "WHY_HIT") is (label.get("bust") == 0)
        for verb in ("hit", "stand"):
            assert hitting.get(verb) == round(100 * float(options[verb].value) / (state.box.bet or 1)), verb
