"""Trio: bet on one side, on the other, or on a tie, in any combination; there are no decisions after the deal."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.games.one_variant import OneVariant
from webapp.engine.action import ALONE, Action, Seat
from webapp.engine.bets import Bets
from webapp.engine.cards import Card
from webapp.engine.errors import IllegalAction, StakesError
from webapp.engine.game import CardGroup, Pack, Recap, Result, Setup, View
from webapp.engine.label import Label
from webapp.engine.spec import Spec
from webapp.engine.words import N_, Argument, Form, GameWords, Message

RED, TIE, BLACK = PLACES = ("red", "tie", "black")
_CARDS: Final = {"red": Argument("red", Form.RANK), "black": Argument("black", Form.RANK)}


@dataclass(frozen=True, slots=True)
class TrioRules:
    bets: Bets | None = Bets(start=100, least=5, most=50, places=PLACES, positional=True, chips=(5, 25))  # noqa: RUF009
    pays: bool = True
    tie_pays: int = 8


@dataclass(frozen=True, slots=True)
class TrioState:
    setup: Setup
    rules: TrioRules
    cards: tuple[Card, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class TrioView(View):
    cards: tuple[Card, ...]
    stakes: Mapping[str, int]


class Trio(OneVariant):
    rules_of_variant = TrioRules
    spec = Spec("trio", ("parlour",))
    words = GameWords(
        title=N_("Trio"),
        claim=N_("Red, black, or neither"),
        variants={"parlour": N_("The parlour")},
        outcomes={"RED_SIDE": N_("Red"), "BLACK_SIDE": N_("Black"), "NEITHER": N_("Neither")},
        messages={
            "RED_SIDE": Message(N_("Red wins, %(red)s over %(black)s"), _CARDS),
            "BLACK_SIDE": Message(N_("Black wins, %(black)s over %(red)s"), _CARDS),
            "NEITHER": N_("Neither side wins"),
        },
    )

    def packs(self, variant: str) -> tuple[Pack, ...]:
        self.rules(variant)
        return (Pack(needed=2),)

    def start(self, setup: Setup) -> TrioState:
        rules = self.rules(setup.variant)
        if rules.bets is None or not rules.bets.allow(setup.stakes):
            raise StakesError(f"stakes do not fit this table: {setup.stakes}")
        cards, _ = setup.stock(0).take(2)
        return TrioState(setup, rules, cards)

    def legal_actions(self, state: TrioState) -> tuple[Action, ...]:
        return ()

    def apply(self, state: TrioState, action: Action) -> TrioState:
        raise IllegalAction(f"{action} is not legal now")

    def dealt(self, state: TrioState) -> tuple[int, ...]:
        return (2,)

    def result(self, state: TrioState) -> Result:
        red, black = state.cards
        if red.rank == black.rank:
            code, times = "NEITHER", {RED: 1, TIE: 1 + state.rules.tie_pays, BLACK: 1}
        else:
            won = RED if red.rank > black.rank else BLACK
            code, times = f"{won.upper()}_SIDE", {won: 2}
        payouts = (times.get(place, 0) * stake for place, stake in zip(PLACES, state.setup.stakes, strict=True))
        return Result(tuple(payouts), (Label.of(code, red=red, black=black),))

    def view(self, state: TrioState, viewer: Seat | None) -> TrioView:
        result = self.result(state)
        assert state.rules.bets is not None
        return TrioView(
            viewer=viewer,
            to_act=None,
            actions=(),
            result=result,
            said=result.labels,
            cards=state.cards,
            stakes={
                place: stake for place, stake in zip(state.rules.bets.places, state.setup.stakes, strict=True) if stake
            },
        )

    def summary_cards(self, state: TrioState) -> tuple[Card, ...]:
        return state.cards

    def recap(self, state: TrioState) -> Recap:
        return Recap((CardGroup(state.cards),))

    def default_action(self, state: TrioState, seat: Seat) -> Action:
        return Action(ALONE, "wait")


GAME: Final = Trio()
