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
from webapp.engine.errors import StakesError
from webapp.engine.game import Pack, Result, Setup, Spec, require_legal
from webapp.engine.games.table21.hand import Table21Hand
from webapp.engine.games.table21.policies import STANDS, choose_verb
from webapp.engine.games.table21.rules import (
    CHOICES,
    SEATS,
    WORST,
    Table21Rules,
    format_rules,
    parse_rules,
    rules_from_choices,
)
from webapp.engine.games.table21.settlement import committed, settle
from webapp.engine.games.table21.state import Table21State
from webapp.engine.games.table21.view import Table21View, view_of
from webapp.engine.label import Label
from webapp.engine.twenty_one.totals import BEST, is_soft, total

DECK: Final = 52


class Table21Game:
    """A Game for several seats."""

    def __init__(self, code: str, presets: Mapping[str, Table21Rules]) -> None:
        self.spec = Spec(code, tuple(presets), SEATS)
        self._presets = presets

    def rules(self, variant: str) -> Table21Rules:
        return parse_rules(variant, self._presets)

    def choices(self) -> Mapping[str, tuple[object, ...]]:
        return CHOICES

    def own_table(self, words: Mapping[str, str]) -> str:
        return format_rules(rules_from_choices(words))

    def packs(self, variant: str) -> tuple[Pack, ...]:
        self.rules(variant)
        return (Pack(needed=DECK),)

    def cut_card(self, variant: str) -> int | None:
        return None

    def start(self, setup: Setup) -> Table21State:
        rules = self.rules(setup.variant)
        bank = banker_of(setup.stakes, rules)
        stock, count = setup.stock(0), len(setup.stakes)
        first, stock = stock.take(count)
        second, stock = stock.take(count)
        state = Table21State(setup, rules, bank, stock, ((),) * count)
        dealt = {seat: (first[index], second[index]) for index, seat in enumerate(state.order)}
        hands = (
            Table21Hand(dealt[Seat(seat)], 0 if seat == bank else stake) for seat, stake in enumerate(setup.stakes)
        )
        state = replace(state, hands=tuple((hand,) for hand in hands))
        totals = (Label.of("SEAT_HAS", seat=seat, total=state.hands[seat][0].total) for seat in state.players)
        return _advance(state.saying(Label.of("BANK_SHOWS", seat=bank, card=dealt[bank][0]), *totals))

    def legal_actions(self, state: Table21State) -> tuple[Action, ...]:
        if state.turn is None:
            return ()
        seat, hand = state.turn[0], state.hand
        if seat == state.bank:
            may = {"hit": hand.total < STANDS or is_soft(hand.cards), "stand": hand.total >= STANDS}
        else:
            may = {"hit": True, "stand": True, "double": hand.may_double, "split": hand.may_split}
        return tuple(Action(seat, verb) for verb, allowed in may.items() if allowed)

    def apply(self, state: Table21State, action: Action) -> Table21State:
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

    def price(self, state: Table21State, action: Action) -> int:
        return state.hand.bet if action.verb in ("double", "split") else 0

    def dealt(self, state: Table21State) -> tuple[int, ...]:
        return (state.stock.taken,)

    def committed(self, state: Table21State) -> tuple[int, ...]:
        return committed(state)

    def result(self, state: Table21State) -> Result | None:
        return settle(state) if state.turn is None else None

    def view(self, state: Table21State, viewer: Seat | None) -> Table21View:
        return view_of(state, viewer, self.legal_actions(state), self.result(state))

    def emblem(self, state: Table21State) -> tuple[Card, ...]:
        """The bank's open cards."""
        return state.bank_hand.cards if state.turned else state.bank_hand.cards[:1]

    def frequencies(self) -> Mapping[str, float]:
        return {}

    def idle(self, state: Table21State, seat: Seat) -> Action:
        return self.automatic(state, "timid", frozenset(action.verb for action in self.legal_actions(state)))

    def automatic(self, state: Table21State, policy: str, may: frozenset[str]) -> Action:
        """What a policy plays for the acting seat. ``may``: the verbs that are legal and can be paid for."""
        assert state.turn is not None
        return Action(state.turn[0], choose_verb(state, policy, may))


def banker_of(stakes: tuple[int, ...], rules: Table21Rules) -> Seat:
    """The seat that has put up twice the sum of all other stakes. SetupError for stakes that cannot be."""
    found = [Seat(seat) for seat, stake in enumerate(stakes) if stake > 0 and stake == WORST * (sum(stakes) - stake)]
    bets = [stake for seat, stake in enumerate(stakes) if seat not in found]
    if not 2 <= len(stakes) <= SEATS or len(found) != 1:
        raise StakesError(f"no bank among these stakes: {stakes}")
    if not all(rules.min_bet <= bet <= rules.max_bet for bet in bets):
        raise StakesError(f"stakes do not fit this table: {stakes}")
    return found[0]


def _hit(state: Table21State) -> Table21State:
    card, state = state.draw()
    state = state.with_hand(state.hand.with_card(card).moved("hit"))
    return _drew(state, "BANK_DREW" if state.is_banks_turn else "SEAT_DREW", card)


def _stand(state: Table21State) -> Table21State:
    state = state.with_hand(replace(state.hand, stood=True).moved("stand"))
    assert state.turn is not None
    code = "BANK_STANDS" if state.is_banks_turn else "SEAT_STANDS"
    return state.saying(Label.of(code, seat=state.turn[0], total=state.hand.total))


def _double(state: Table21State) -> Table21State:
    card, state = state.draw()
    hand = replace(state.hand.with_card(card), bet=2 * state.hand.bet, doubled=True)
    return _drew(state.with_hand(hand.moved("double")), "SEAT_DOUBLED", card)


def _split(state: Table21State) -> Table21State:
    """Each hand gets one card at once."""
    assert state.turn is not None
    seat = state.turn[0]
    left, right = (replace(state.hand.moved("split"), cards=(card,), split=True) for card in state.hand.cards)
    one, state = state.draw()
    two, state = state.draw()
    state = state.with_hand(left.with_card(one), right.with_card(two))
    return state.saying(Label.of("SEAT_SPLIT", seat=seat, cards=(one, two)))


def _drew(state: Table21State, code: str, card: Card) -> Table21State:
    assert state.turn is not None
    return state.saying(Label.of(code, seat=state.turn[0], card=card, total=state.hand.total))


def _advance(state: Table21State) -> Table21State:
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


def _finish(state: Table21State) -> Table21State:
    state = replace(state, turn=None)
    return state.saying(settle(state).labels[0])
