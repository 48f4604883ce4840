"""The odds of a table at which one of the players banks.

Until the banker turns the second card they are taken to draw below 17 and to stand from 17 on, as they must but for the
choice on a soft 17 to 20. Then they are taken to play best against the hands that lie open, which is exact.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from webapp.engine.action import Action, Seat
from webapp.engine.cards import Card
from webapp.engine.game import Setup
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.games.blackjack.state import BlackjackHand
from webapp.engine.games.table21.game import Table21Game
from webapp.engine.games.table21.settlement import gains
from webapp.engine.games.table21.state import Table21State
from webapp.engine.odds.blackjack.box_values import BoxValues, Known
from webapp.engine.odds.blackjack.compositions import Shares, index_of
from webapp.engine.odds.blackjack.dealer_outcomes import DealerOutcomes
from webapp.engine.odds.blackjack.edge import edge
from webapp.engine.odds.blackjack.unseen import Unseen
from webapp.engine.odds.question import Question, Scale, Spot
from webapp.engine.odds.table21.banker import BankerPlay
from webapp.engine.odds.table21.spot import question_of, spot_of
from webapp.engine.odds.value import ActionValue, Arrays, Decision, GameValue, Method, Number, Reason, TableStore

RULES: Final = BlackjackRules(
    decks=1,
    fresh_deck=True,
    hole_card="no_peek",
    lose="all",
    double_after_split=False,
    split_by="rank",
    max_hands=2,
    hit_split_aces=True,
    insurance=False,
)
"""The same table with a dealer in the banker's place."""

_EXACT: Final = Method("table21-1", exact=True)
_AGAINST_A_DEALER: Final = Method("table21-1-dealer", exact=False)


class Table21Odds:
    """The ``Odds`` of a table with a banker."""

    def __init__(self, game: Table21Game) -> None:
        self._game = game

    def start(self, setup: Setup, seat: Seat, store: TableStore, seen: tuple[Card, ...] = ()) -> Number:
        players = {
            other: bet * _edge(bet, store) for other, bet in enumerate(setup.stakes) if Seat(other) != setup.banker
        }
        return players.get(seat, -sum(players.values()))

    def value(self, state: Table21State, seat: Seat, store: TableStore, seen: tuple[Card, ...] = ()) -> Number:
        if state.turn is None:
            return gains(state)[seat]
        if state.is_bankers_turn:
            return BankerPlay(state).best[seat]
        players = {other: _player(state, other)[1] for other in state.players}
        return players.get(seat, -sum(players.values()))

    def decision(self, state: Table21State, store: TableStore, seen: tuple[Card, ...] = ()) -> Decision:
        assert state.turn is not None, "the round is over"
        seat, legal = state.turn[0], self._game.legal_actions(state)
        if state.is_bankers_turn:
            banker = BankerPlay(state)
            worth = {verb: gained[seat] for verb, gained in (("stand", banker.stand), ("hit", banker.hit))}
            method = _EXACT
        else:
            worth, _ = _player(state, seat, seen)
            method = _AGAINST_A_DEALER
        options = (ActionValue(action, worth[action.verb]) for action in legal)
        return Decision(tuple(sorted(options, key=lambda option: -option.value)), method)

    def game(self, variant: str, store: TableStore) -> GameValue:
        self._game.rules(variant)
        return GameValue("edge", _edge(None, store), _AGAINST_A_DEALER)

    def prepare(self, variant: str, store: TableStore) -> None:
        self._game.rules(variant)

    def rule_prices(self, variant: str, store: TableStore) -> Mapping[str, Number]:
        return {}

    def spot(self, question: Question) -> Spot[Table21State]:
        return spot_of(self._game, question)

    def question(self, state: Table21State) -> Question | None:
        return question_of(state)

    def reason(
        self, state: Table21State, action: Action, decision: Decision, store: TableStore, seen: tuple[Card, ...] = ()
    ) -> Reason | None:
        return None

    def scale(self, state: Table21State) -> Scale:
        seat = state.turn[0] if state.turn else state.banker
        stakes = state.setup.stakes
        if seat == state.banker:
            return Scale("chips", stake=sum(stakes) - stakes[seat])
        return Scale("bets", unit=stakes[seat], stake=stakes[seat])


def _edge(bet: int | None, store: TableStore) -> float:
    """Return what a player wins on average for each chip bet."""

    def build() -> Arrays:
        return {"edge": np.array([edge(RULES, bet)])}

    return float(store.tables(f"table21-1-{bet or 'any'}", build)["edge"][0])


def _player(state: Table21State, seat: Seat, seen: tuple[Card, ...] = ()) -> tuple[dict[str, float], float]:
    """Return the values of what a player may do, and the value under best play, in chips.

    ``seen``: cards that lie open beside those of the state.
    """
    up = state.banker_hand.cards[0]
    own = (card for other in state.players for hand in state.hands[other] for card in hand.cards)
    unseen = Unseen(RULES.decks, (up, *own, *seen))
    known = Known(RULES, unseen, DealerOutcomes(RULES, index_of(up), np.array(unseen.counts)))
    row, bet = state.hands[seat], state.setup.stakes[seat]
    hands = tuple(
        BlackjackHand(hand.cards, hand.bet, split=hand.split, doubled=hand.doubled, stood=hand.stood) for hand in row
    )
    turn = next((index for index, hand in enumerate(row) if not hand.is_done), len(row))
    box = BoxValues(known, hands, turn, Shares.of(RULES, bet))
    if turn == len(row):
        return {}, bet * box.best()
    worth = {verb: bet * value for verb, value in box.actions.items()}
    return worth, max(worth.values())
