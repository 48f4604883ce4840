"""High card: keep the card or swap it once; the higher one wins. One decision, one bet, one hidden card."""

from dataclasses import dataclass, replace
from typing import Final

from tests.games.one_variant import OneVariant
from webapp.engine.action import ALONE, Action, Seat
from webapp.engine.bets import Bets
from webapp.engine.cards import Card, Stock
from webapp.engine.errors import StakesError
from webapp.engine.game import CardGroup, Pack, Recap, Result, Setup, View, require_legal
from webapp.engine.label import Label
from webapp.engine.spec import Preference, Spec
from webapp.engine.words import N_, Argument, Form, GameWords, Message

KEEP: Final = Action(ALONE, "keep")
SWAP: Final = Action(ALONE, "swap")


@dataclass(frozen=True, slots=True)
class HighCardRules:
    bets: Bets | None = Bets(start=50, least=2, most=20, places=("card",), chips=(2, 10))  # noqa: RUF009  # frozen
    pays: bool = True


@dataclass(frozen=True, slots=True)
class HighCardState:
    setup: Setup
    stock: Stock
    own: Card
    other: Card
    over: bool = False
    said: tuple[Label, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class HighCardView(View):
    own: Card
    other: Card | None


class HighCard(OneVariant):
    rules_of_variant = HighCardRules
    spec = Spec(
        "highcard",
        ("friendly",),
        won=frozenset({"HIGHER"}),
        drawn=frozenset({"SAME_RANK"}),
        preferences=(
            Preference("swaps", N_("Swap"), {"ask": N_("Ask me"), "never": N_("Never")}, answers={"never": "keep"}),
        ),
    )
    words = GameWords(
        title=N_("High card"),
        claim=N_("Keep your card or swap it"),
        variants={"friendly": N_("A friendly table")},
        moves={"keep": N_("kept"), "swap": N_("swapped")},
        outcomes={"HIGHER": N_("Higher"), "SAME_RANK": N_("Equal"), "LOWER": N_("Lower")},
        messages={
            "OWN_CARD": N_("You hold the %(card)s"),
            "HIGHER": Message(N_("%(own)s beats %(other)s"), {"own": Argument("own", Form.RANK)}),
            "SAME_RANK": N_("Both are equal"),
            "LOWER": N_("The %(other)s is higher"),
        },
        refusals={"swap": N_("A card is swapped once.")},
    )

    def packs(self, variant: str) -> tuple[Pack, ...]:
        self.rules(variant)
        return (Pack(needed=3),)

    def start(self, setup: Setup) -> HighCardState:
        bets = self.rules(setup.variant).bets
        if bets is None or not bets.allow(setup.stakes):
            raise StakesError(f"stakes do not fit this table: {setup.stakes}")
        (own, other), stock = setup.stock(0).take(2)
        return HighCardState(setup, stock, own, other, said=(Label.of("OWN_CARD", card=own),))

    def legal_actions(self, state: HighCardState) -> tuple[Action, ...]:
        return () if state.over else (KEEP, SWAP)

    def apply(self, state: HighCardState, action: Action) -> HighCardState:
        require_legal(self, state, action)
        if action == SWAP:
            (card,), stock = state.stock.take(1)
            state = replace(state, own=card, stock=stock)
        state = replace(state, over=True)
        return replace(state, said=(Label.of("OWN_CARD", card=state.own), _outcome(state)))

    def dealt(self, state: HighCardState) -> tuple[int, ...]:
        return (state.stock.taken,)

    def result(self, state: HighCardState) -> Result | None:
        if not state.over:
            return None
        outcome = _outcome(state)
        times = {"HIGHER": 2, "SAME_RANK": 1, "LOWER": 0}[outcome.code]
        return Result((times * state.setup.stakes[0],), (outcome,))

    def view(self, state: HighCardState, viewer: Seat | None) -> HighCardView:
        actions = self.legal_actions(state)
        return HighCardView(
            viewer=viewer,
            to_act=ALONE if actions else None,
            actions=actions if viewer == ALONE else (),
            result=self.result(state),
            said=state.said,
            own=state.own,
            other=state.other if state.over else None,
        )

    def summary_cards(self, state: HighCardState) -> tuple[Card, ...]:
        return (state.own,)

    def recap(self, state: HighCardState) -> Recap:
        return Recap((CardGroup((state.own,)), CardGroup((state.other,))))

    def default_action(self, state: HighCardState, seat: Seat) -> Action:
        return KEEP


def _outcome(state: HighCardState) -> Label:
    own, other = state.own.rank, state.other.rank
    code = "HIGHER" if own > other else "LOWER" if own < other else "SAME_RANK"
    return Label.of(code, own=state.own, other=other)


GAME: Final = HighCard()
