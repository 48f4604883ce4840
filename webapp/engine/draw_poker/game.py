"""Draw poker for one player: five cards, exchanges, a score by the pay table, and perhaps the double-up.

A game of this kind is a code, its words and its tables, each a ``DrawRules`` value. One setup holds the whole hand:
pack 0 is dealt first, pack k is the k-th round of the double-up. Where several hands are drawn from one hold there is
no double-up, and hand n has pack n - 1: from its top come the cards that are not among the five of the deal.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from webapp.engine.action import Action, Seat
from webapp.engine.cards import Card, Stock
from webapp.engine.draw_poker.double_up import CARDS, DoubleUpOutcome, DoubleUpRound
from webapp.engine.draw_poker.rules import (
    COLLECT,
    DOUBLE,
    HAND,
    HOLD,
    HOLD_WHAT_PAYS,
    HOLDS,
    MARKING,
    PICKS,
    POSITIONS,
    STOP,
    DrawRules,
)
from webapp.engine.draw_poker.state import DrawnLine, DrawPhase, DrawState
from webapp.engine.draw_poker.view import DrawView, view_of
from webapp.engine.errors import SetupError, StakesError
from webapp.engine.game import CardGroup, Marks, Pack, Recap, Result, Setup, require_legal
from webapp.engine.label import Label
from webapp.engine.poker.frequencies import frequencies
from webapp.engine.poker.ranking import label
from webapp.engine.spec import Daily, Spec
from webapp.engine.words import UNTITLED, GameWords


class OwnTables(Protocol):
    """The tables of a game beside those that are named, each one word."""

    choices: Mapping[str, tuple[object, ...]]

    def rules(self, variant: str) -> DrawRules:
        """Return the rules of a table. SetupError for a table that does not exist."""

    def variant_from_choices(self, words: Mapping[str, str]) -> str:
        """Return the table with these rules. SetupError for what cannot be chosen."""


class DrawGame:
    """A ``Game``. ``tables`` maps the name of a table to its rules, the default first; ``own`` has all others."""

    def __init__(
        self,
        code: str,
        tables: Mapping[str, DrawRules],
        words: GameWords = UNTITLED,
        daily: Daily | None = None,
        own: OwnTables | None = None,
    ) -> None:
        self.spec = Spec(
            code,
            tuple(tables),
            preferences=(HOLD_WHAT_PAYS,),
            marking=MARKING,
            odds="webapp.engine.odds.draw.odds:DrawOdds",
            question="webapp.engine.odds.draw.spot:question_of",
            kinds="webapp.engine.odds.draw.kinds:kinds_of",
            daily=daily,
        )
        self.words = words
        self._tables = tables
        self._own = own
        self._apply = {
            HOLD: self._exchange,
            STOP.verb: self._stop,
            DOUBLE.verb: self._double,
            "pick": self._pick,
            COLLECT.verb: self._collect,
        }

    def rules(self, variant: str) -> DrawRules:
        if variant not in self._tables and self._own:
            return self._own.rules(variant)
        try:
            return self._tables[variant]
        except KeyError:
            raise SetupError(f"no such table: {variant[:80]!r}") from None

    def plain_table(self, variant: str) -> str:
        """Return the table that has these rules without the double-up; the table itself if there is none."""
        plain = replace(self.rules(variant), double_up=None)
        return next((name for name, rules in self._tables.items() if rules == plain), variant)

    def choices(self) -> Mapping[str, tuple[object, ...]]:
        return self._own.choices if self._own else {}

    def variant_from_choices(self, words: Mapping[str, str]) -> str:
        if self._own:
            return self._own.variant_from_choices(words)
        raise SetupError(f"{self.spec.code} is played at the tables that are named")

    def packs(self, variant: str) -> tuple[Pack, ...]:
        rules = self.rules(variant)
        hand = Pack(jokers=rules.jokers, needed=HAND * (1 + rules.exchanges))
        rounds = rules.double_up.max_rounds if rules.double_up else 0
        line = Pack(jokers=rules.jokers, needed=HAND + HAND)  # perhaps all five of the deal, and five others
        return (hand, *(line,) * (rules.most_lines - 1), *(Pack(needed=CARDS),) * rounds)

    def cut_card(self, variant: str) -> int | None:
        return None

    def start(self, setup: Setup) -> DrawState:
        rules = self.rules(setup.variant)
        if not (rules.bets.allow(setup.stakes) if rules.bets else setup.stakes == ()):
            raise StakesError(f"stakes do not fit this table: {setup.stakes}")
        hand, stock = setup.stock(0).take(HAND)
        said = (Label.of("DEALT", cards=hand), label(rules.pay_table.rank(hand)))
        return DrawState(setup, rules, DrawPhase.EXCHANGE, hand, stock, rules.exchanges, (), POSITIONS, said)

    def legal_actions(self, state: DrawState) -> tuple[Action, ...]:
        match state.phase:
            case DrawPhase.EXCHANGE:
                return (*HOLDS, STOP) if state.rules.may_stop else HOLDS
            case DrawPhase.ASK:
                return (DOUBLE, COLLECT)
            case DrawPhase.PICK:
                return PICKS
            case DrawPhase.OVER:
                return ()

    def apply(self, state: DrawState, action: Action) -> DrawState:
        require_legal(self, state, action)
        return self._apply[action.verb](state, action)

    def cost(self, state: DrawState, action: Action) -> int:
        """Return 0: the whole stake is paid with the deal."""
        return 0

    def marks(self, state: DrawState) -> Marks | None:
        if state.phase is not DrawPhase.EXCHANGE:
            return None
        return Marks(HOLD, HAND, state.making)

    def dealt(self, state: DrawState) -> tuple[int, ...]:
        lines = (len(line.dealt) for line in state.lines if line.dealt)
        return (state.stock.taken, *lines, *(len(round.cards) for round in state.rounds))

    def committed(self, state: DrawState) -> tuple[int, ...]:
        return state.setup.stakes or (0,)

    def result(self, state: DrawState) -> Result | None:
        if state.phase is not DrawPhase.OVER:
            return None
        doubled = tuple(
            Label.of(f"DOUBLE_{round.outcome.name}", open=round.cards[0], picked=round.cards[round.picked])
            for round in state.rounds[-1:]
            if round.outcome and round.picked
        )
        payouts = tuple(hand.worth for hand in state.hands) if state.lines else (state.score,)
        return Result(payouts, (label(state.best.ranked), *doubled))

    def view(self, state: DrawState, viewer: Seat | None) -> DrawView:
        return view_of(state, viewer, self.legal_actions(state), self.result(state))

    def summary_cards(self, state: DrawState) -> tuple[Card, ...]:
        return state.best.hand

    def recap(self, state: DrawState) -> Recap:
        if state.lines:
            return Recap(
                tuple(
                    CardGroup(hand.hand, label(hand.ranked), hand.worth - hand.stake, None, hand.making, hand.stand_ins)
                    for hand in state.hands
                )
            )
        result = self.result(state)
        group = CardGroup(state.hand, making=state.making, stand_ins=state.stand_ins)
        if state.wins and state.score:
            return Recap((group,), (_doubled(state.wins),))
        return Recap((group,), result.labels[1:] if result else ())

    def frequencies(self, variant: str) -> Mapping[str, float]:
        rules = self.rules(variant)
        return frequencies(rules.jokers, rules.pay_table.has_wild_deuces)

    def default_action(self, state: DrawState, seat: Seat) -> Action:
        """Hold all cards, collect, or pick the first card."""
        return {DrawPhase.EXCHANGE: HOLDS[-1], DrawPhase.ASK: COLLECT, DrawPhase.PICK: PICKS[0]}[state.phase]

    def _exchange(self, state: DrawState, action: Action) -> DrawState:
        fresh = tuple(position for position in POSITIONS if position not in action.args)
        drawn, stock = state.stock.take(len(fresh))
        arriving = iter(drawn)
        hand = tuple(next(arriving) if position in fresh else state.hand[position - 1] for position in POSITIONS)
        said = (Label.of("DREW", cards=drawn) if drawn else Label("KEPT_ALL"), label(state.rules.pay_table.rank(hand)))
        left = state.exchanges_left - 1
        lines = tuple(_line(state, number, fresh) for number in range(1, len(state.setup.stakes)))
        state = replace(state, hand=hand, stock=stock, exchanges_left=left, held=action.args, fresh=fresh, lines=lines)
        state = replace(state, said=said, rounds=())
        return state if left else self._score(state)

    def _stop(self, state: DrawState, action: Action) -> DrawState:
        return self._score(replace(state, fresh=(), said=(Label("STOPPED"), label(state.ranked))))

    def _score(self, state: DrawState) -> DrawState:
        double_up = state.rules.double_up
        score = sum(hand.worth for hand in state.hands)
        asks = double_up is not None and 0 < score < double_up.max_score
        if state.lines:
            paying = sum(hand.worth > 0 for hand in state.hands)
            code = {0: "LINES_PAY_NONE", 1: "LINES_PAY_ONE"}.get(paying, "LINES_PAY")
            sums = Label.of(code, paying=paying, count=len(state.hands), score=score)
            state = replace(state, said=(state.said[0], label(state.best.ranked), sums))
        return replace(state, score=score, phase=DrawPhase.ASK if asks else DrawPhase.OVER)

    def _double(self, state: DrawState, action: Action) -> DrawState:
        number = len(state.rounds) + 1
        cards, _ = state.setup.stock(number).take(CARDS)
        round = DoubleUpRound(cards, before=state.score)
        said = (Label.of("OPEN_CARD", card=cards[0], score=state.score),)
        return replace(state, phase=DrawPhase.PICK, fresh=(), rounds=(*state.rounds, round), said=said)

    def _pick(self, state: DrawState, action: Action) -> DrawState:
        double_up = state.rules.double_up
        assert double_up is not None
        *past, round = state.rounds
        (picked,) = action.args
        open_card, card = round.cards[0], round.cards[picked]
        outcome = double_up.outcome(open_card, card)
        score = double_up.after(outcome, round.before)
        round = replace(round, picked=picked, outcome=outcome, after=score)
        said = Label.of(f"DOUBLE_{outcome.name}", open=open_card, picked=card, score=score)
        state = replace(state, score=score, rounds=(*past, round), said=(said,))
        if outcome is DoubleUpOutcome.LOSE:
            return replace(state, phase=DrawPhase.OVER)
        limits = (double_up.max_wins, double_up.max_rounds, double_up.max_score)
        if any(now >= most for now, most in zip((state.wins, len(state.rounds), score), limits, strict=True)):
            return replace(state, phase=DrawPhase.OVER, said=(said, Label.of("COLLECTED_AT_LIMIT", score=score)))
        if outcome is DoubleUpOutcome.TIE:
            fresh_round = self._double(state, DOUBLE)
            return replace(fresh_round, said=(said, *fresh_round.said))
        return replace(state, phase=DrawPhase.ASK)

    def _collect(self, state: DrawState, action: Action) -> DrawState:
        return replace(state, phase=DrawPhase.OVER, fresh=(), said=(Label.of("COLLECTED", score=state.score),))


def _line(state: DrawState, number: int, fresh: tuple[int, ...]) -> DrawnLine:
    """Return the hand that is drawn from the pack of this number; no card of the deal comes again."""
    stock, drawn = state.setup.stock(number) if fresh else Stock(()), list[Card]()
    while len(drawn) < len(fresh):
        (card,), stock = stock.take(1)
        if card not in state.hand:
            drawn.append(card)
    arriving = iter(drawn)
    hand = (next(arriving) if position in fresh else state.hand[position - 1] for position in POSITIONS)
    return DrawnLine(tuple(hand), stock.cards[: stock.taken])


def _doubled(wins: int) -> Label:
    """Return how often a score was doubled that was not lost again."""
    code = {1: "DOUBLED_ONCE", 2: "DOUBLED_TWICE"}.get(wins, "DOUBLED_TIMES")
    return Label.of(code, count=wins)
