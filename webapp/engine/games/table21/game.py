"""Twenty-one among players, one of whom banks: a fresh deck each round, everybody against the banker.

A round is: bets, deal, the players in turn, the banker, settlement. The setup has the bets, one stake a seat, and says
who banks; the banker's stake is twice all the others together, the most that may have to be paid.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from webapp.engine.action import Action, Seat
from webapp.engine.cards import Card
from webapp.engine.errors import StakesError
from webapp.engine.game import Marks, Pack, Recap, Result, Setup, require_legal
from webapp.engine.games.table21.policies import choose_verb
from webapp.engine.games.table21.rules import (
    BANKER_STANDS,
    CHOICES,
    SEATS,
    WORST,
    Table21Rules,
    format_rules,
    parse_rules,
    rules_from_choices,
)
from webapp.engine.games.table21.settlement import committed, settle
from webapp.engine.games.table21.state import Table21Hand, Table21State
from webapp.engine.games.table21.view import Table21View, recap_of, seen_by, view_of
from webapp.engine.label import Label
from webapp.engine.spec import Spec
from webapp.engine.twenty_one.hand import BEST, is_soft, total
from webapp.engine.words import UNTITLED, GameWords

DECK: Final = 52


class Table21Game:
    """A ``Game`` for several seats."""

    def __init__(self, code: str, presets: Mapping[str, Table21Rules], words: GameWords = UNTITLED) -> None:
        self.spec = Spec(
            code,
            tuple(presets),
            SEATS,
            banked=True,
            won=frozenset({"ROUND_WON"}),
            drawn=frozenset({"ROUND_EVEN"}),
            odds="webapp.engine.odds.table21.odds:Table21Odds",
        )
        self.words = words
        self._presets = presets

    # a request asks up to six times, and games are not deleted. bench: tables
    @lru_cache(maxsize=256)  # noqa: B019
    def rules(self, variant: str) -> Table21Rules:
        return parse_rules(variant, self._presets)

    def choices(self) -> Mapping[str, tuple[object, ...]]:
        return CHOICES

    def variant_from_choices(self, words: Mapping[str, str]) -> str:
        return format_rules(rules_from_choices(words))

    def packs(self, variant: str) -> tuple[Pack, ...]:
        self.rules(variant)
        return (Pack(needed=DECK),)

    def cut_card(self, variant: str) -> int | None:
        return None

    def start(self, setup: Setup) -> Table21State:
        rules = self.rules(setup.variant)
        banker = _require_banker(setup, rules)
        stock, count = setup.stock(0), len(setup.stakes)
        first, stock = stock.take(count)
        second, stock = stock.take(count)
        state = Table21State(setup, rules, banker, stock, ((),) * count)
        dealt = {seat: (first[index], second[index]) for index, seat in enumerate(state.order)}
        hands = (
            Table21Hand(dealt[Seat(seat)], 0 if seat == banker else stake) for seat, stake in enumerate(setup.stakes)
        )
        state = replace(state, hands=tuple((hand,) for hand in hands))
        totals = (Label.of("SEAT_HAS", seat=seat, total=state.hands[seat][0].total) for seat in state.players)
        return _advance(state.with_messages(Label.of("BANK_SHOWS", seat=banker, card=dealt[banker][0]), *totals))

    def legal_actions(self, state: Table21State) -> tuple[Action, ...]:
        if state.turn is None:
            return ()
        seat, hand = state.turn[0], state.hand
        if seat == state.banker:
            may = {"hit": hand.total < BANKER_STANDS or is_soft(hand.cards), "stand": hand.total >= BANKER_STANDS}
        else:
            may = {"hit": True, "stand": True, "double": hand.may_double, "split": hand.may_split}
        return tuple(Action(seat, verb) for verb, allowed in may.items() if allowed)

    def forced(self, state: Table21State) -> Action | None:
        """Return the action that has no alternative, None if there is a choice: only the banker is ever without one."""
        legal = self.legal_actions(state)
        return legal[0] if len(legal) == 1 else None

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

    def cost(self, state: Table21State, action: Action) -> int:
        return state.hand.bet if action.verb in ("double", "split") else 0

    def marks(self, state: Table21State) -> Marks | None:
        return None

    def dealt(self, state: Table21State) -> tuple[int, ...]:
        return (state.stock.taken,)

    def committed(self, state: Table21State) -> tuple[int, ...]:
        return committed(state)

    def result(self, state: Table21State) -> Result | None:
        return settle(state) if state.turn is None else None

    def view(self, state: Table21State, viewer: Seat | None) -> Table21View:
        view = view_of(state, self.result(state))
        return view if viewer is None else self.view_of_player(view, state, viewer)

    def view_of_player(self, view: Table21View, state: Table21State, viewer: Seat) -> Table21View:
        """Return the view of a player, made from that of a visitor: ``view(state, None)``."""
        return seen_by(view, viewer, self.legal_actions(state))

    def summary_cards(self, state: Table21State) -> tuple[Card, ...]:
        """Return the banker's open cards."""
        return state.banker_hand.cards if state.turned else state.banker_hand.cards[:1]

    def recap(self, state: Table21State) -> Recap:
        return recap_of(state)

    def voided(self, state: Table21State) -> Table21State:
        """Return a state of a round that does not count: it says that it is void where it would say who has won."""
        said = state.said if state.turn else (*state.said[:-1], Label("VOID"))
        return replace(state, void=True, said=said)

    def face_up(self, state: Table21State) -> Table21State:
        """Return the end of a round for those who look at it again: the banker's second card lies open in any case."""
        return replace(state, turned=True) if state.turn is None else state

    def frequencies(self, variant: str) -> Mapping[str, float]:
        return {}

    def default_action(self, state: Table21State, seat: Seat) -> Action:
        return self.automatic(state, "timid", frozenset(action.verb for action in self.legal_actions(state)))

    def automatic(self, state: Table21State, policy: str, may: frozenset[str]) -> Action:
        """Return what a policy plays for the acting seat. ``may``: the verbs that are legal and can be paid for."""
        assert state.turn is not None
        return Action(state.turn[0], choose_verb(state, policy, may))


def _require_banker(setup: Setup, rules: Table21Rules) -> Seat:
    """Return the banker of a setup. StakesError if it has no banker, or if the stakes do not fit the rules."""
    stakes, banker = setup.stakes, setup.banker
    if not 2 <= len(stakes) <= SEATS or banker is None or not 0 <= banker < len(stakes):
        raise StakesError(f"no banker among these seats: {banker}, {stakes}")
    bets = [stake for seat, stake in enumerate(stakes) if seat != banker]
    if stakes[banker] != WORST * sum(bets) or not all(rules.min_bet <= bet <= rules.max_bet for bet in bets):
        raise StakesError(f"stakes do not fit this table: {stakes}")
    return banker


def _hit(state: Table21State) -> Table21State:
    card, state = state.draw()
    state = state.with_hand(state.hand.with_card(card).moved("hit"))
    return _drew(state, "BANK_DREW" if state.is_bankers_turn else "SEAT_DREW", card)


def _stand(state: Table21State) -> Table21State:
    state = state.with_hand(replace(state.hand, stood=True).moved("stand"))
    assert state.turn is not None
    code = "BANK_STANDS" if state.is_bankers_turn else "SEAT_STANDS"
    return state.with_messages(Label.of(code, seat=state.turn[0], total=state.hand.total))


def _double(state: Table21State) -> Table21State:
    card, state = state.draw()
    hand = replace(state.hand.with_card(card), bet=2 * state.hand.bet, doubled=True)
    return _drew(state.with_hand(hand.moved("double")), "SEAT_DOUBLED", card)


def _split(state: Table21State) -> Table21State:
    """Deal each hand one card at once."""
    assert state.turn is not None
    seat = state.turn[0]
    left, right = (replace(state.hand.moved("split"), cards=(card,), split=True) for card in state.hand.cards)
    one, state = state.draw()
    two, state = state.draw()
    state = state.with_hand(left.with_card(one), right.with_card(two))
    return state.with_messages(Label.of("SEAT_SPLIT", seat=seat, cards=(one, two)))


def _drew(state: Table21State, code: str, card: Card) -> Table21State:
    assert state.turn is not None
    return state.with_messages(Label.of(code, seat=state.turn[0], card=card, total=state.hand.total))


def _advance(state: Table21State) -> Table21State:
    """Give the turn to the next hand that is not done, or end the round."""
    for seat in state.players:
        for index, hand in enumerate(state.hands[seat]):
            if not hand.is_done:
                return replace(state, turn=(seat, index))
    if state.all_bust:
        return _finish(state)
    if not state.turned:
        cards = state.banker_hand.cards
        state = replace(state, turned=True).with_messages(
            Label.of("BANK_TURNS", seat=state.banker, card=cards[1], total=total(cards))
        )
        if state.banker_hand.is_natural:
            state = state.with_messages(Label.of("BANK_BLACKJACK", seat=state.banker))
    if state.banker_hand.stood or state.banker_hand.total >= BEST:
        return _finish(state)
    return replace(state, turn=(state.banker, 0))


def _finish(state: Table21State) -> Table21State:
    state = replace(state, turn=None)
    return state.with_messages(settle(state).labels[0])
