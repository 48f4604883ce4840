"""The odds of a draw poker table: every decision of a hand, and the table as a whole."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from webapp.engine.action import Action, Seat
from webapp.engine.cards import JOKER, STANDARD_DECK, Card, Stock
from webapp.engine.draw_poker.double_up import CARDS
from webapp.engine.draw_poker.game import DrawGame
from webapp.engine.draw_poker.holds import held, is_made
from webapp.engine.draw_poker.rules import HAND, HOLD, POSITIONS, STOP, DrawRules
from webapp.engine.draw_poker.state import DrawPhase, DrawState
from webapp.engine.game import Setup
from webapp.engine.odds.draw import several_exchanges
from webapp.engine.odds.draw.best_play import average_of_best, variance_of_best
from webapp.engine.odds.draw.common_holds import common_holds
from webapp.engine.odds.draw.final_hands import LineTables
from webapp.engine.odds.draw.hold_counts import draws, hold_counts
from webapp.engine.odds.draw.hold_values import chip_values, double_up_options, final_options, line_values, stop_option
from webapp.engine.odds.draw.spot import question_of, spot_of, thrown_cards
from webapp.engine.odds.question import Question, Scale, Spot
from webapp.engine.odds.simulated import Shuffle
from webapp.engine.odds.value import (
    ActionValue,
    CommonHold,
    Decision,
    GameValue,
    Method,
    NoOdds,
    Number,
    Part,
    Reason,
    TableStore,
)


def unseen_cards(state: DrawState) -> tuple[Card, ...]:
    """Return the cards that can still come in the pack that is in play."""
    if state.phase is DrawPhase.EXCHANGE:
        dealt, deck = _dealt(state), (*STANDARD_DECK, *(JOKER,) * state.rules.jokers)
    else:
        dealt, deck = state.rounds[-1].cards[:1] if state.phase is DrawPhase.PICK else (), STANDARD_DECK
    return tuple(card for card in deck if card not in dealt)


def dealt_by_chance(state: DrawState, unseen: Sequence[Card], shuffle: Shuffle) -> DrawState:
    """Return a state in which unseen cards come by chance, and the double-up has shuffled packs."""
    double_up = state.rules.double_up
    packs = tuple(shuffle(STANDARD_DECK, CARDS) for _ in range(double_up.max_rounds)) if double_up else ()
    deck = (*STANDARD_DECK, *(JOKER,) * state.rules.jokers)
    packs = (*(shuffle(deck, HAND + HAND) for _ in state.setup.stakes[1:]), *packs)
    first = _dealt(state)
    if state.phase is DrawPhase.EXCHANGE:
        first = (*first, *shuffle(unseen, HAND * state.exchanges_left))
    state = replace(state, setup=replace(state.setup, cards=(first, *packs)), stock=Stock(first, state.stock.taken))
    if state.phase is not DrawPhase.PICK:
        return state
    *past, round = state.rounds
    cards = (*round.cards[:1], *shuffle(unseen, CARDS - 1))
    return replace(state, rounds=(*past, replace(round, cards=cards)))


def likeness(state: DrawState) -> Hashable:
    """Return what states have in common that are played on alike."""
    if state.phase is DrawPhase.EXCHANGE:
        return (state.hand, frozenset(_dealt(state)), state.exchanges_left)
    open_cards = state.rounds[-1].cards[:1] if state.phase is DrawPhase.PICK else ()
    return (state.phase, state.score, state.wins, len(state.rounds), *(card.rank for card in open_cards))


def _dealt(state: DrawState) -> tuple[Card, ...]:
    return state.setup.cards[0][: state.stock.taken]


def reason_of(state: DrawState, action: Action, store: TableStore) -> Reason | None:
    """Return the reason of a hold; without counts where further exchanges follow it. None in the double-up."""
    if state.phase is not DrawPhase.EXCHANGE or action.verb not in (HOLD, STOP.verb):
        return None
    positions = POSITIONS if action.verb == STOP.verb else action.args
    pay_table = state.rules.pay_table
    label = held(state.hand, positions, pay_table.wild)
    line = pay_table.line_of(state.hand) if set(pay_table.making(state.hand)) <= set(positions) else None
    made = line.code if line and is_made(state.hand, positions, pay_table.wild) else ""
    if state.exchanges_left > 1 and action.verb == HOLD:
        return Reason(label, drawn=HAND - len(positions), made=made)
    thrown, mask = thrown_cards(state), sum(1 << position - 1 for position in positions)
    tables = LineTables.of(state.rules.pay_table, state.rules.jokers, store)
    counts = hold_counts(tables, state.hand, thrown)[mask].tolist()
    ways = draws(tables.deck, len(thrown))[mask]
    values = line_values(state.rules, state.all_stakes)
    parts = [
        Part(line.code, count, value * count / ways)
        for line, count, value in zip(tables.pay_table.lines, counts[1:], values[1:], strict=True)
        if count
    ]
    return Reason(label, ways, HAND - len(positions), tuple(sorted(parts, key=lambda part: -part.value)), made)


EXACT: Final = Method("draw-1", exact=True)


class DrawOdds:
    """The ``Odds`` of a game that is draw poker."""

    def __init__(self, game: DrawGame) -> None:
        self._game = game

    def start(self, setup: Setup, seat: Seat, store: TableStore, seen: tuple[Card, ...] = ()) -> Number:
        rules = self._game.rules(setup.variant)
        return average(rules, sum(setup.stakes) if rules.bets else 1, store) - sum(setup.stakes)

    def value(self, state: DrawState, seat: Seat, store: TableStore, seen: tuple[Card, ...] = ()) -> Number:
        if state.phase is DrawPhase.OVER:
            return Fraction(state.score - sum(state.setup.stakes))
        return self.decision(state, store).best.value

    def decision(self, state: DrawState, store: TableStore, seen: tuple[Card, ...] = ()) -> Decision:
        options, method = options_of(state, store)
        fair = state.phase is not DrawPhase.EXCHANGE and len({option.value for option in options}) == 1
        # fractions, which are slow to compare, decide only between equal floating-point numbers
        ranked = sorted(options, key=lambda option: (float(option.value), option.value), reverse=True)
        return Decision(tuple(ranked), method, fair)

    def game(self, variant: str, store: TableStore) -> GameValue:
        rules = self._game.rules(variant)
        value = average(rules, 1, store)
        return GameValue("value", value, method_of(rules.exchanges), variance_of_table(rules, store))

    def prepare(self, variant: str, store: TableStore) -> None:
        rules = self._game.rules(variant)
        LineTables.of(rules.pay_table, rules.jokers, store)
        if rules.exchanges > 1:
            several_exchanges.average(rules, 1, store)

    def rule_prices(self, variant: str, store: TableStore) -> Mapping[str, Number]:
        return {}

    def common_holds(self, variant: str, store: TableStore) -> tuple[CommonHold, ...]:
        """Return the common holds, see ``OrderingHolds``."""
        rules = self._game.rules(variant)
        if rules.exchanges > 1:
            raise NoOdds(f"holds before several exchanges are not listed: {variant}")
        tables = LineTables.of(rules.pay_table, rules.jokers, store)
        return common_holds(tables, chip_values(rules, 1), store, rules.jokers)

    def spot(self, question: Question) -> Spot[DrawState]:
        return Spot(spot_of(self._game, question))

    def variance(self, state: DrawState, action: Action, store: TableStore) -> Fraction | None:
        """Return the variance of what a hold brings, see ``KnowingVariance``; None in a double-up or before it."""
        return variance_of(state, action, store)

    def question(self, state: DrawState) -> Question | None:
        return question_of(state)

    def reason(
        self, state: DrawState, action: Action, decision: Decision, store: TableStore, seen: tuple[Card, ...] = ()
    ) -> Reason | None:
        return reason_of(state, action, store)

    def unseen(self, spot: Spot[DrawState]) -> tuple[Card, ...]:
        """Return the cards that can still come, see ``Dealing``."""
        return unseen_cards(spot.state)

    def dealt(self, state: DrawState, unseen: Sequence[Card], shuffle: Shuffle) -> DrawState:
        """Return a state in which unseen cards come by chance."""
        return dealt_by_chance(state, unseen, shuffle)

    def alike(self, state: DrawState) -> Hashable:
        """Return what states have in common that are played on alike."""
        return likeness(state)

    def scale(self, state: DrawState) -> Scale:
        staked = sum(state.setup.stakes)
        if not staked:
            return Scale("score")
        if state.phase is DrawPhase.EXCHANGE:
            return Scale("coins", staked, staked, stake=staked)
        return Scale("chips", staked, stake=staked)


def method_of(exchanges: int) -> Method:
    """Return the method for a decision with this number of exchanges left."""
    return EXACT if exchanges <= 1 else several_exchanges.method(exchanges)


def average(rules: DrawRules, stake: int, store: TableStore) -> Number:
    """Return what a hand with this stake pays on average under optimal play."""
    if rules.exchanges > 1:
        return several_exchanges.average(rules, stake, store)
    tables = LineTables.of(rules.pay_table, rules.jokers, store)
    return stake * average_of_best(tables, chip_values(rules, stake), store, rules.jokers)


def variance_of_table(rules: DrawRules, store: TableStore) -> Fraction | None:
    """Return the variance of what a hand pays for each chip under optimal play; None where more follows an exchange."""
    if rules.exchanges > 1 or rules.double_up:
        return None
    tables = LineTables.of(rules.pay_table, rules.jokers, store)
    return variance_of_best(tables, chip_values(rules, 1), store, rules.jokers)


def variance_of(state: DrawState, action: Action, store: TableStore) -> Fraction | None:
    """Return the variance of what all hands bring that are drawn from a last hold: independent, they add up.

    None where more is decided afterwards.
    """
    rules = state.rules
    if state.phase is not DrawPhase.EXCHANGE or state.exchanges_left > 1 or rules.double_up or action.verb != HOLD:
        return None
    thrown, mask = thrown_cards(state), sum(1 << position - 1 for position in action.args)
    tables = LineTables.of(rules.pay_table, rules.jokers, store)
    counts = hold_counts(tables, state.hand, thrown)[mask].tolist()
    ways, values = draws(tables.deck, len(thrown))[mask], line_values(rules, state.stake)
    mean, mean_square = (
        sum((count * value**power for count, value in zip(counts, values, strict=True)), Fraction(0)) / ways
        for power in (1, 2)
    )
    return max(1, len(state.setup.stakes)) * (mean_square - mean**2)


def options_of(state: DrawState, store: TableStore) -> tuple[Sequence[ActionValue], Method]:
    """Return the options of a state with their net values, and the method."""
    if state.phase is not DrawPhase.EXCHANGE:
        return tuple(double_up_options(state)), EXACT
    thrown = thrown_cards(state)
    # several hands from one hold are worth what one hand with all their stakes is
    values, staked = line_values(state.rules, state.all_stakes), sum(state.setup.stakes)
    options: Iterable[ActionValue]
    if state.exchanges_left > 1:
        left = state.exchanges_left
        gross = several_exchanges.options(state.rules, state.stake, state.hand, thrown, left, store)
        options = (ActionValue(option.action, option.value - staked) for option in gross)
    else:
        tables = LineTables.of(state.rules.pay_table, state.rules.jokers, store)
        options = final_options(tables, values, state.hand, thrown, staked)
    return (*options, *stop_option(state.rules, values, state.hand, staked)), method_of(state.exchanges_left)
