"""The view of a hand of draw poker."""

from collections.abc import Iterator
from dataclasses import dataclass

from webapp.engine.action import ALONE, Action, Seat
from webapp.engine.cards import Card
from webapp.engine.draw_poker.double_up import DoubleUpOdds, DoubleUpOutcome, DoubleUpRoundView
from webapp.engine.draw_poker.highlights import LONGEST_ROW, deciding, missed, near_miss, tier_of, tier_of_hand
from webapp.engine.draw_poker.holds import sure_hold
from webapp.engine.draw_poker.rules import HAND, DrawRules
from webapp.engine.draw_poker.state import DrawPhase, DrawState
from webapp.engine.game import Result, View
from webapp.engine.label import Label
from webapp.engine.poker.ranking import Category, label
from webapp.engine.tier import Tier


@dataclass(frozen=True, slots=True)
class LineView:
    """One of several hands that were drawn from one hold. The fields are those of ``DrawView``.

    ``passed``: cards of the deal that lay above its own in its pack, and were passed over.
    """

    hand: tuple[Card, ...]
    passed: tuple[Card, ...]
    made: Label
    category: str
    line: str | None
    worth: int
    hand_tier: Tier
    making: tuple[int, ...]
    stand_ins: tuple[str | None, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawView(View):
    """The view of a hand. ``line``: code of its line in the pay table; ``worth``: what that pays.

    ``score`` is what can be collected, 0 before the last exchange.
    ``hand_tier``: how great a win the standing hand is, by itself.

    ``making``: positions of the cards that pay, none where nothing is paid. ``joker``: the letters of the card that the
    joker stands for; it does not lie there. ``stand_ins``: the same for each card of the hand, None for one that is not
    wild. ``near``: what was missed by one card. ``deciding``: position of the drawn card that made or broke a straight
    or better.
    ``ladder`` holds five scores of the double-up around the present one, ``rung`` the index of the present one.
    ``lines``: all hands that were drawn from the hold, this one first, if there are several; ``score`` is their sum.
    """

    phase: DrawPhase
    hand: tuple[Card, ...]
    held: tuple[int, ...]
    fresh: tuple[int, ...]
    made: Label
    category: str
    line: str | None
    worth: int
    hand_tier: Tier
    making: tuple[int, ...]
    joker: str | None
    stand_ins: tuple[str | None, ...]
    near: Label | None
    deciding: int | None
    exchanges_left: int
    score: int
    wins: int
    rounds: tuple[DoubleUpRoundView, ...]
    odds: DoubleUpOdds | None
    ladder: tuple[int, ...]
    rung: int
    lines: tuple[LineView, ...] = ()

    @property
    def best(self) -> "DrawView | LineView":
        """The hand that pays most, or is the strongest of those that pay alike."""
        if self.result is None or not self.lines:
            return self
        named = self.result.labels[0]
        return max(self.lines, key=lambda line: (line.worth, line.made == named))

    @property
    def is_precious(self) -> bool:
        """A full house or better that pays: it should not be drawn away by accident."""
        return self.line is not None and Category[self.category] >= Category.FULL_HOUSE

    def sure_hold(self, rules: DrawRules) -> tuple[int, ...]:
        """Return the positions of the cards that pay, if holding them is certainly right; else none."""
        return sure_hold(rules.pay_table, self.hand, self.exchanges_left) if self.worth else ()

    @property
    def missed(self) -> tuple[str, int] | None:
        """What a single hand that makes nothing came nearest to, and how many cards it was short of it."""
        if self.lines or self.near or self.category != Category.NOTHING.name or any(self.stand_ins):
            return None
        found = missed(self.hand)
        return (found[0].name, found[1]) if found else None

    def holds_wild(self, positions: tuple[int, ...]) -> bool:
        """Return True if one of the cards at these positions stands for another."""
        return any(self.stand_ins[position - 1] for position in positions)

    @property
    def whole_row(self) -> tuple[Card, ...]:
        """The cards that were picked in a double-up won as often in a row as there is; else none."""
        if self.wins < LONGEST_ROW:
            return ()
        won = [round for round in self.rounds if round.outcome is DoubleUpOutcome.WIN]
        return tuple(card for round in won if round.picked and (card := round.picks[round.picked - 1]))

    @property
    def is_of_hand(self) -> bool:
        return not self.rounds


def view_of(state: DrawState, viewer: Seat | None, actions: tuple[Action, ...], result: Result | None) -> DrawView:
    """Return the state as a viewer may see it. ``actions`` and ``result`` are those of the state."""
    ranked = state.ranked
    line = state.rules.pay_table.line_of(state.hand)
    ladder, rung = _ladder(state)
    stand_ins = state.stand_ins
    return DrawView(
        viewer=viewer,
        to_act=ALONE if actions else None,
        actions=actions if viewer == ALONE else (),
        result=result,
        said=state.said,
        tier=tier_of(state),
        phase=state.phase,
        hand=state.hand,
        held=state.held,
        fresh=state.fresh,
        made=label(ranked),
        category=ranked.category.name,
        worth=state.worth,
        line=line.code if line else None,
        hand_tier=tier_of_hand(state),
        making=state.making,
        joker=next((letters for card, letters in zip(state.hand, stand_ins, strict=True) if card.is_joker), None),
        stand_ins=stand_ins,
        near=near_miss(state),
        deciding=deciding(state),
        exchanges_left=state.exchanges_left,
        score=state.score,
        wins=state.wins,
        rounds=tuple(map(DoubleUpRoundView.of, state.rounds)),
        odds=DoubleUpOdds.of(state.rounds[-1].cards[0]) if state.phase is DrawPhase.PICK else None,
        ladder=ladder,
        rung=rung,
        lines=tuple(_lines(state)) if state.lines else (),
    )


def _lines(state: DrawState) -> Iterator[LineView]:
    deal = state.setup.cards[0][:HAND]
    passed = ((), *(tuple(card for card in line.dealt if card in deal) for line in state.lines))
    for hand, over in zip(state.hands, passed, strict=True):
        line = state.rules.pay_table.line_of(hand.hand)
        yield LineView(
            hand=hand.hand,
            passed=over,
            made=label(hand.ranked),
            category=hand.ranked.category.name,
            line=line.code if line else None,
            worth=hand.worth,
            hand_tier=tier_of_hand(hand),
            making=hand.making,
            stand_ins=hand.stand_ins,
        )


def _ladder(state: DrawState) -> tuple[tuple[int, ...], int]:
    """Return five scores, the present one among the doubled ones before and after it, and its index."""
    double_up = state.rules.double_up
    worth = state.worth
    if double_up is None or not worth:
        return (), 0
    scores = [min(worth * 2**wins, double_up.max_score) for wins in range(double_up.max_wins + 1)]
    first = max(0, min(state.wins - 1, len(scores) - 5))
    return tuple(scores[first : first + 5]), state.wins - first
