"""Pitched cards stay face down until their player turns them; nothing else changes."""

from collections.abc import Callable
from random import Random

import pytest

from tests.support.blackjack_rounds import BLACKJACK, play
from tests.support.player import Json, Player
from webapp.engine.cards import STANDARD_DECK

OPEN, PITCHED = "vegas", "vegas,deal=pitch"


def _page(player: Player, table: str) -> str:
    return player.get(f"/play/blackjack?table={table}", Accept="text/html").text


def test_pitched_cards_have_a_back_over_them_and_a_box_that_turns_them(
    visitor: Player, deal_that_offers: Callable[..., Json]
) -> None:
    deal_that_offers(visitor, "split", stakes=(10, 10), table=PITCHED)
    page = _page(visitor, PITCHED)
    assert page.count("card--down") == 4
    assert page.count('class="pitch__box" type="checkbox"') == 2, "one for each box"
    assert "Your cards lie face down" in page
    assert "keep " not in page, "a button tells a newcomer what the cards would"


def test_cards_lie_open_once_the_player_has_acted(visitor: Player, deal_that_offers: Callable[..., Json]) -> None:
    deal_that_offers(visitor, "split", table=PITCHED)
    visitor.act("split")
    page = _page(visitor, PITCHED)
    assert "card--down" not in page
    assert "pitch__box" not in page


def test_cards_lie_open_where_they_are_not_pitched(visitor: Player, deal_that_offers: Callable[..., Json]) -> None:
    deal_that_offers(visitor, "split", table=OPEN)
    page = _page(visitor, OPEN)
    assert "card--down" not in page
    assert "keep " in page


def test_the_replay_of_a_pitched_hand_shows_the_cards(visitor: Player, deal_that_offers: Callable[..., Json]) -> None:
    deal_that_offers(visitor, "split", table=PITCHED)
    while not visitor.over:
        visitor.act("decline" if "decline" in visitor.actions else "stand")
    page = visitor.get(f"/h/{visitor.hand}?step=0", Accept="text/html").text
    assert 'class="finish__felt' in page
    assert "card--down" not in page


@pytest.mark.parametrize("seed", range(20))
def test_the_way_of_dealing_changes_no_card_no_action_and_no_chip(seed: int) -> None:
    chance = Random(seed)
    cards = "".join(map(str, chance.sample(STANDARD_DECK * 6, 60)))
    states = [play(cards, table=table, stakes=(10, 20)) for table in (OPEN, PITCHED)]
    while legal := BLACKJACK.legal_actions(states[0]):
        assert BLACKJACK.legal_actions(states[1]) == legal
        action = chance.choice(legal)
        states = [BLACKJACK.apply(state, action) for state in states]
    views = [BLACKJACK.view(state, None) for state in states]
    assert views[0] == views[1]
    assert states[0].stock == states[1].stock
