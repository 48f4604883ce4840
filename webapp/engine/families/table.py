"""Twenty-one among players, one of whom is the bank: a fresh deck each round, everybody against the bank.

A round is: bets, deal, the players in turn, the bank, settlement. The bets are in the setup, one stake a seat; the
bank's is twice all the others together, the most that it may have to pay. By that it is known among the seats: no other
seat can hold two thirds of all that lies there.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from webapp.engine.action import Action, Seat
from webapp.engine.cards import Card
from webapp.engine.errors import SetupError
from webapp.engine.families.table_hand import Hand
from webapp.engine.families.table_policies import STANDS, verb_for
from webapp.engine.families.table_rules import (
    CHOICES,
    SEATS,
    WORST,
    Rules,
    format_rules,
    parse_rules,
    rules_of,
)
from webapp.engine.families.table_settlement import committed, settle
from webapp.engine.families.table_state import TableState
from webapp.engine.families.table_view import TableView, view_of
from webapp.engine.game import Pack, Result, Setup, Spec, require_legal
from webapp.engine.label import Label
from webapp.engine.twenty_one import BEST, is_soft, total

DECK: Final = 52


class TableGame:
    """A Game for several seats."""

    def __init__(self, code: str, presets: Mapping[str, Rules]) -> None:
        self.spec = Spec(code, tuple(presets), SEATS)
        self._presets = presets

    def rules(self, variant: str) -> Rules:
        return parse_rules(variant, self._presets)

    def choices(self) -> Mapping[str, tuple[object, ...]]:
        return CHOICES

    def own_table(self, words: Mapping[str, str]) -> str:
        return format_rules(rules_of(words))

    def packs(self, variant: str) -> tuple[Pack, ...]:
        self.rules(variant)
        return (Pack(needed=DECK),)

    def cut_card(self, variant: str) -> int | None:
        return None

    def start(self, setup: Setup) -> TableState:
        rules = self.rules(setup.variant)
        bank = bank_of(setup.stakes, rules)
        stock, count = setup.stock(0), len(setup.stakes)
        first, stock = stock.take(count)
        second, stock = stock.take(count)
        state = TableState(setup, rules, bank, stock, ((),) * count)
        dealt = {seat: (first[index], second[index]) for index, seat in enumerate(state.order)}
        hands = (Hand(dealt[Seat(seat)], 0 if seat == bank else stake) for seat, stake in enumerate(setup.stakes))
        state = replace(state, hands=tuple((hand,) for hand in hands))
        totals = (Label.of("SEAT_HAS", seat=seat, total=state.hands[seat][0].total) for seat in state.players)
        return _advance(state.saying(Label.of("BANK_SHOWS", seat=bank, card=dealt[bank][0]), *totals))

    def legal_actions(self, state: TableState) -> tuple[Action, ...]:
        if state.turn is None:
            return ()
        seat, hand = state.turn[0], state.hand
        if seat == state.bank:
            may = {"hit": hand.total < STANDS or is_soft(hand.cards), "stand": hand.total >= STANDS}
        else:
            may = {"hit": True, "stand": True, "double": hand.may_double, "split": hand.may_split}
        return tuple(Action(seat, verb) for verb, allowed in may.items() if allowed)

    def apply(self, state: TableState, action: Action) -> TableState:
        require_legal(self, state, action)
        state = replace(state, said=())
        match action.verb:
            case "hit":
                return _advance(_hit(state))
            case "stand":
                return _advance(_stand(state))
            case "double":
                return _advance(_double(state))
            case _:
                return _advance(_split(state))

    def price(self, state: TableState, action: Action) -> int:
        return state.hand.bet if action.verb in ("double", "split") else 0

    def dealt(self, state: TableState) -> tuple[int, ...]:
        return (state.stock.taken,)

    def committed(self, state: TableState) -> tuple[int, ...]:
        return committed(state)

    def result(self, state: TableState) -> Result | None:
        return settle(state) if state.turn is None else None

    def view(self, state: TableState, viewer: Seat | None) -> TableView:
        return view_of(state, viewer, self.legal_actions(state), self.result(state))

    def emblem(self, state: TableState) -> tuple[Card, ...]:
        """The bank's open cards."""
        return state.bank_hand.cards if state.turned else state.bank_hand.cards[:1]

    def frequencies(self) -> Mapping[str, float]:
        return {}

    def idle(self, state: TableState, seat: Seat) -> Action:
        return self.automatic(state, "timid", frozenset(action.verb for action in self.legal_actions(state)))

    def automatic(self, state: TableState, policy: str, may: frozenset[str]) -> Action:
        """What a policy plays for the acting seat. ``may``: the verbs that are legal and can be paid for."""
        assert state.turn is not None
        return Action(state.turn[0], verb_for(state, policy, may))


def bank_of(stakes: tuple[int, ...], rules: Rules) -> Seat:
    """The seat that has put up twice the sum of all other stakes. SetupError for stakes that cannot be."""
    found = [Seat(seat) for seat, stake in enumerate(stakes) if stake > 0 and stake == WORST * (sum(stakes) - stake)]
    bets = [stake for seat, stake in enumerate(stakes) if seat not in found]
    if not 2 <= len(stakes) <= SEATS or len(found) != 1:
        raise SetupError(f"no bank among these stakes: {stakes}")
    if not all(rules.min_bet <= bet <= rules.max_bet for bet in bets):
        raise SetupError(f"stakes do not fit this table: {stakes}")
    return found[0]


def _hit(state: TableState) -> TableState:
    card, state = state.draw()
    state = state.with_hand(state.hand.with_card(card).moved("hit"))
    return _drew(state, "BANK_DREW" if state.is_banks_turn else "SEAT_DREW", card)


def _stand(state: TableState) -> TableState:
    state = state.with_hand(replace(state.hand, stood=True).moved("stand"))
    assert state.turn is not None
    code = "BANK_STANDS" if state.is_banks_turn else "SEAT_STANDS"
    return state.saying(Label.of(code, seat=state.turn[0], total=state.hand.total))


def _double(state: TableState) -> TableState:
    card, state = state.draw()
    hand = replace(state.hand.with_card(card), bet=2 * state.hand.bet, doubled=True)
    return _drew(state.with_hand(hand.moved("double")), "SEAT_DOUBLED", card)


def _split(state: TableState) -> TableState:
    """Each hand gets one card at once."""
    assert state.turn is not None
    seat = state.turn[0]
    left, right = (replace(state.hand.moved("split"), cards=(card,), split=True) for card in state.hand.cards)
    one, state = state.draw()
    two, state = state.draw()
    state = state.with_hand(left.with_card(one), right.with_card(two))
    return state.saying(Label.of("SEAT_SPLIT", seat=seat, cards=(one, two)))


def _drew(state: TableState, code: str, card: Card) -> TableState:
    assert state.turn is not None
    return state.saying(Label.of(code, seat=state.turn[0], card=card, total=state.hand.total))


def _advance(state: TableState) -> TableState:
    """Go on to whoever is to act next, or to the end."""
    for seat in state.players:
        for index, hand in enumerate(state.hands[seat]):
            if not hand.is_done:
                return replace(state, turn=(seat, index))
    if state.all_bust:
        return _finish(state)
    if not state.turned:
        cards = state.bank_hand.cards
        state = replace(state, turned=True).saying(
            Label.of("BANK_TURNS", seat=state.bank, card=cards[1], total=total(cards))
        )
    if state.bank_hand.stood or state.bank_hand.total >= BEST:
        return _finish(state)
    return replace(state, turn=(state.bank, 0))


def _finish(state: TableState) -> TableState:
    state = replace(state, turn=None)
    return state.saying(settle(state).labels[0])
