"""Draw poker for one player: five cards, exchanges, a score by the pay table, and perhaps the double-up.

A game of this family is a code and its tables, each a ``Rules`` value. One setup holds the whole run: pack 0 is the
hand, pack k the k-th round of the double-up.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, combinations
from typing import Final

from webapp.engine.action import ALONE, Action, Seat
from webapp.engine.cards import Card
from webapp.engine.draw_poker.double_up import (
    CARDS,
    DoubleUp,
    DoubleUpOdds,
    DoubleUpOutcome,
    DoubleUpRound,
    DoubleUpRoundView,
)
from webapp.engine.errors import SetupError, StakesError
from webapp.engine.game import Bets, Pack, Result, Setup, Spec, View, require_legal
from webapp.engine.label import Label
from webapp.engine.poker.frequencies import frequencies
from webapp.engine.poker.pay_tables import PayTable
from webapp.engine.poker.ranking import label, rank
from webapp.engine.stock import Stock

HAND: Final = 5
POSITIONS: Final = tuple(range(1, HAND + 1))
HOLDS: Final = tuple(
    Action(ALONE, "hold", kept) for kept in chain.from_iterable(combinations(POSITIONS, n) for n in range(HAND + 1))
)
STOP: Final = Action(ALONE, "stop")
DOUBLE: Final = Action(ALONE, "double")
COLLECT: Final = Action(ALONE, "collect")
PICKS: Final = tuple(Action(ALONE, "pick", (n,)) for n in range(1, CARDS))


@dataclass(frozen=True, slots=True)
class DrawRules:
    """All numbers of a table. The pages print the rules from this value."""

    pay_table: PayTable
    exchanges: int = 1
    jokers: int = 0
    may_stop: bool = False
    """Whether the player may end the exchanges early."""
    bets: Bets | None = None
    """With bets the pay table multiplies the bet; without, it is the score."""
    double_up: DoubleUp | None = None

    @property
    def pays(self) -> bool:
        """Chips or a score."""
        return True


class DrawPhase(StrEnum):
    EXCHANGE = "exchange"
    ASK = "ask"
    PICK = "pick"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class DrawState:
    """``held`` and ``fresh`` are positions from 1: what the last exchange kept, and what came with it."""

    setup: Setup
    rules: DrawRules
    phase: DrawPhase
    hand: tuple[Card, ...]
    stock: Stock
    exchanges_left: int
    held: tuple[int, ...]
    fresh: tuple[int, ...]
    said: tuple[Label, ...]
    score: int = 0
    rounds: tuple[DoubleUpRound, ...] = ()

    @property
    def stake(self) -> int:
        return self.setup.stakes[0] if self.rules.bets else 1

    @property
    def worth(self) -> int:
        """What the standing hand pays."""
        return self.stake * self.rules.pay_table.pays(self.hand)

    @property
    def wins(self) -> int:
        return sum(round.outcome is DoubleUpOutcome.WIN for round in self.rounds)


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawView(View):
    """``line`` is the code of the pay table's line that the standing hand is on, ``worth`` what that pays.

    ``score`` is what can be collected, 0 before the last exchange.
    ``ladder`` holds five scores of the double-up around the present one, ``rung`` the index of the present one.
    """

    phase: DrawPhase
    hand: tuple[Card, ...]
    held: tuple[int, ...]
    fresh: tuple[int, ...]
    made: Label
    category: str
    line: str | None
    worth: int
    exchanges_left: int
    score: int
    wins: int
    rounds: tuple[DoubleUpRoundView, ...]
    odds: DoubleUpOdds | None
    ladder: tuple[int, ...]
    rung: int


class DrawGame:
    """A Game. ``tables`` maps the name of a table to its rules, the default first."""

    def __init__(self, code: str, tables: Mapping[str, DrawRules]) -> None:
        self.spec = Spec(code, tuple(tables))
        self._tables = tables
        self._apply = {
            "hold": self._exchange,
            "stop": self._stop,
            "double": self._double,
            "pick": self._pick,
            "collect": self._collect,
        }

    def rules(self, variant: str) -> DrawRules:
        try:
            return self._tables[variant]
        except KeyError:
            raise SetupError(f"no such table: {variant[:80]!r}") from None

    def choices(self) -> Mapping[str, tuple[object, ...]]:
        return {}

    def own_table(self, words: Mapping[str, str]) -> str:
        raise SetupError(f"{self.spec.code} is played at the tables that are named")

    def packs(self, variant: str) -> tuple[Pack, ...]:
        rules = self.rules(variant)
        hand = Pack(jokers=rules.jokers, needed=HAND * (1 + rules.exchanges))
        rounds = rules.double_up.max_rounds if rules.double_up else 0
        return (hand, *(Pack(needed=CARDS),) * rounds)

    def cut_card(self, variant: str) -> int | None:
        return None

    def start(self, setup: Setup) -> DrawState:
        rules = self.rules(setup.variant)
        if not (rules.bets.allow(setup.stakes) if rules.bets else setup.stakes == ()):
            raise StakesError(f"stakes do not fit this table: {setup.stakes}")
        hand, stock = setup.stock(0).take(HAND)
        said = (Label.of("DEALT", cards=hand), label(rank(hand)))
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

    def price(self, state: DrawState, action: Action) -> int:
        """Nothing: all is staked with the deal."""
        return 0

    def dealt(self, state: DrawState) -> tuple[int, ...]:
        return (state.stock.taken, *(len(round.cards) for round in state.rounds))

    def committed(self, state: DrawState) -> tuple[int, ...]:
        return (sum(state.setup.stakes),)

    def result(self, state: DrawState) -> Result | None:
        if state.phase is not DrawPhase.OVER:
            return None
        doubled = tuple(
            Label.of(f"DOUBLE_{round.outcome.name}", open=round.cards[0], picked=round.cards[round.picked])
            for round in state.rounds[-1:]
            if round.outcome and round.picked
        )
        return Result((state.score,), (label(rank(state.hand)), *doubled))

    def view(self, state: DrawState, viewer: Seat | None) -> DrawView:
        ranked = rank(state.hand)
        actions = self.legal_actions(state)
        line = state.rules.pay_table.line_of(state.hand)
        ladder, rung = _ladder(state)
        return DrawView(
            viewer=viewer,
            to_act=ALONE if actions else None,
            actions=actions if viewer == ALONE else (),
            result=self.result(state),
            said=state.said,
            phase=state.phase,
            hand=state.hand,
            held=state.held,
            fresh=state.fresh,
            made=label(ranked),
            category=ranked.category.name,
            worth=state.worth,
            line=line.code if line else None,
            exchanges_left=state.exchanges_left,
            score=state.score,
            wins=state.wins,
            rounds=tuple(map(DoubleUpRoundView.of, state.rounds)),
            odds=DoubleUpOdds.of(state.rounds[-1].cards[0]) if state.phase is DrawPhase.PICK else None,
            ladder=ladder,
            rung=rung,
        )

    def emblem(self, state: DrawState) -> tuple[Card, ...]:
        return state.hand

    def frequencies(self) -> Mapping[str, float]:
        return frequencies(self.rules(self.spec.default).jokers)

    def idle(self, state: DrawState, seat: Seat) -> Action:
        """Keep what is there, collect what there is; a pick that has been asked for is the first card."""
        return {DrawPhase.EXCHANGE: HOLDS[-1], DrawPhase.ASK: COLLECT, DrawPhase.PICK: PICKS[0]}[state.phase]

    def _exchange(self, state: DrawState, action: Action) -> DrawState:
        fresh = tuple(position for position in POSITIONS if position not in action.args)
        drawn, stock = state.stock.take(len(fresh))
        arriving = iter(drawn)
        hand = tuple(next(arriving) if position in fresh else state.hand[position - 1] for position in POSITIONS)
        said = (Label.of("DREW", cards=drawn) if drawn else Label("KEPT_ALL"), label(rank(hand)))
        left = state.exchanges_left - 1
        state = replace(
            state, hand=hand, stock=stock, exchanges_left=left, held=action.args, fresh=fresh, said=said, rounds=()
        )
        return state if left else self._score(state)

    def _stop(self, state: DrawState, action: Action) -> DrawState:
        return self._score(replace(state, fresh=(), said=(Label("STOPPED"), label(rank(state.hand)))))

    def _score(self, state: DrawState) -> DrawState:
        double_up = state.rules.double_up
        asks = double_up is not None and 0 < state.worth < double_up.max_score
        return replace(state, score=state.worth, phase=DrawPhase.ASK if asks else DrawPhase.OVER)

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


def _ladder(state: DrawState) -> tuple[tuple[int, ...], int]:
    """Five rungs: the present score in its place among the doubled ones before and after it."""
    double_up = state.rules.double_up
    if double_up is None or not state.worth:
        return (), 0
    rungs = [min(state.worth * 2**wins, double_up.max_score) for wins in range(double_up.max_wins + 1)]
    first = max(0, min(state.wins - 1, len(rungs) - 5))
    return tuple(rungs[first : first + 5]), state.wins - first
