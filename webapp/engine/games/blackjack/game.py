"""Blackjack: one player with one to three boxes against the house.

A round is: bets, deal, insurance, peek, the boxes from first to last with each split hand in turn, the dealer,
settlement. Pack 0 is the shoe from where it stands: the round takes its cards from the front.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from webapp.engine.action import ALONE, Action, Seat
from webapp.engine.cards import Card, Rank
from webapp.engine.errors import StakesError
from webapp.engine.game import Marks, Pack, Recap, Result, Setup, require_legal
from webapp.engine.games.blackjack.dealer import dealer_plays
from webapp.engine.games.blackjack.rules import CHOICES, BlackjackRules, format_rules, parse_rules, rules_from_choices
from webapp.engine.games.blackjack.settlement import DRAWN, WON, settle
from webapp.engine.games.blackjack.shoe import reserve
from webapp.engine.games.blackjack.state import BlackjackHand, BlackjackPhase, BlackjackState, Box
from webapp.engine.games.blackjack.view import BlackjackView, recap_of, view_of
from webapp.engine.label import Label
from webapp.engine.spec import CardCount, Daily, Preference, Spec
from webapp.engine.twenty_one.counting import NAMES, is_system
from webapp.engine.twenty_one.hand import total
from webapp.engine.words import N_, UNTITLED, GameWords

HIT: Final = Action(ALONE, "hit")
STAND: Final = Action(ALONE, "stand")
DOUBLE: Final = Action(ALONE, "double")
SPLIT: Final = Action(ALONE, "split")
SURRENDER: Final = Action(ALONE, "surrender")
INSURE: Final = Action(ALONE, "insure")
DECLINE: Final = Action(ALONE, "decline")


ASK_FOR_INSURANCE: Final = Preference(
    "insurance",
    N_("Insurance"),
    {"ask": N_("Ask me"), "never": N_("Never")},
    answers={"never": DECLINE.verb},
)
COUNT: Final = Preference(
    "count",
    N_("Count of the shoe, for practice (none where a machine shuffles after each round)"),
    {
        "0": N_("Hidden"),
        "1": N_("Shown"),
        "shuffle": N_("Asked at the shuffle"),
        "now-and-then": N_("Asked now and then"),
    },
)
COUNTING_SYSTEM: Final = Preference("count_system", N_("Counting system"), NAMES, others=is_system)


class BlackjackGame:
    """A ``Game``. Its tables are presets, and presets with changes."""

    def __init__(
        self,
        code: str,
        presets: Mapping[str, BlackjackRules],
        words: GameWords = UNTITLED,
        daily: Daily | None = None,
    ) -> None:
        self.spec = Spec(
            code,
            tuple(presets),
            won=WON,
            drawn=DRAWN,
            preferences=(ASK_FOR_INSURANCE, COUNT, COUNTING_SYSTEM),
            card_count=CardCount(COUNT.name, "1", "shuffle", "now-and-then", COUNTING_SYSTEM.name),
            beginners="classic",
            odds="webapp.engine.odds.blackjack.odds:BlackjackOdds",
            question="webapp.engine.odds.blackjack.spot:question_of",
            kinds="webapp.engine.odds.blackjack.kinds:kinds_of",
            daily=daily,
        )
        self.words = words
        self._presets = presets
        self._apply = {
            HIT: self._hit,
            STAND: self._stand,
            DOUBLE: self._double,
            SPLIT: self._split,
            SURRENDER: self._surrender,
            INSURE: self._insure,
            DECLINE: self._decline,
        }

    # a request asks up to six times, and games are not deleted. bench: tables
    @lru_cache(maxsize=256)  # noqa: B019
    def rules(self, variant: str) -> BlackjackRules:
        return parse_rules(variant, self._presets)

    def choices(self) -> Mapping[str, tuple[object, ...]]:
        return CHOICES

    def variant_from_choices(self, words: Mapping[str, str]) -> str:
        rules = rules_from_choices(words)
        return next((name for name, preset in self._presets.items() if preset == rules), format_rules(rules))

    def packs(self, variant: str) -> tuple[Pack, ...]:
        rules = self.rules(variant)
        return (Pack(decks=rules.decks, needed=reserve(rules, rules.bets.boxes if rules.bets else 1)),)

    def cut_card(self, variant: str) -> int | None:
        return self.rules(variant).cut_card

    def start(self, setup: Setup) -> BlackjackState:
        rules = self.rules(setup.variant)
        if not (rules.bets.allow(setup.stakes) if rules.bets else setup.stakes == ()):
            raise StakesError(f"stakes do not fit this table: {setup.stakes}")
        bets, stock = setup.stakes or (0,), setup.stock(0)
        first, stock = stock.take(len(bets))
        up, stock = stock.take(1)
        second, stock = stock.take(len(bets))
        hole, stock = stock.take(1 if rules.hole_card == "peek" else 0)
        boxes = tuple(
            Box(bet, (BlackjackHand((a, b), bet, fresh=2),)) for bet, a, b in zip(bets, first, second, strict=True)
        )
        state = BlackjackState(setup, rules, BlackjackPhase.INSURANCE, stock, boxes, (*up, *hole))
        totals = (Label.of("YOU_HAVE", total=hand.total) for hand in state.hands)
        return _advance(state.with_messages(Label.of("DEALER_SHOWS", card=up[0]), *totals))

    def legal_actions(self, state: BlackjackState) -> tuple[Action, ...]:
        match state.phase:
            case BlackjackPhase.INSURANCE:
                return (INSURE, DECLINE)
            case BlackjackPhase.PLAY:
                return self._plays(state)
            case BlackjackPhase.OVER:
                return ()

    def apply(self, state: BlackjackState, action: Action) -> BlackjackState:
        require_legal(self, state, action)
        return _advance(self._apply[action](state.without_highlights()))

    def cost(self, state: BlackjackState, action: Action) -> int:
        if action == INSURE:
            return state.box.insurable
        return state.hand.bet if action in (DOUBLE, SPLIT) else 0

    def marks(self, state: BlackjackState) -> Marks | None:
        return None

    def dealt(self, state: BlackjackState) -> tuple[int, ...]:
        return (state.stock.taken,)

    def committed(self, state: BlackjackState) -> tuple[int, ...]:
        return tuple(box.committed for box in state.boxes)

    def result(self, state: BlackjackState) -> Result | None:
        return settle(state.boxes, state.dealer, state.rules) if state.phase is BlackjackPhase.OVER else None

    def view(self, state: BlackjackState, viewer: Seat | None) -> BlackjackView:
        return view_of(state, viewer, self.legal_actions(state), self.result(state))

    def summary_cards(self, state: BlackjackState) -> tuple[Card, ...]:
        return state.hands[0].cards

    def recap(self, state: BlackjackState) -> Recap:
        return recap_of(state, self.result(state))

    def frequencies(self, variant: str) -> Mapping[str, float]:
        return {}

    def default_action(self, state: BlackjackState, seat: Seat) -> Action:
        return DECLINE if state.phase is BlackjackPhase.INSURANCE else STAND

    def _plays(self, state: BlackjackState) -> tuple[Action, ...]:
        hand, rules = state.hand, state.rules
        may = {
            HIT: hand.may_hit(rules),
            STAND: True,
            DOUBLE: hand.may_double(rules),
            SPLIT: hand.may_split(rules, len(state.box.hands)) and state.left >= 2,
            SURRENDER: hand.may_surrender(rules),
        }
        return tuple(action for action, allowed in may.items() if allowed)

    def _hit(self, state: BlackjackState) -> BlackjackState:
        card, state = state.draw()
        return _drawn(state.with_hand(state.hand.with_card(card).moved("hit")), card)

    def _stand(self, state: BlackjackState) -> BlackjackState:
        return state.with_hand(replace(state.hand, stood=True).moved("stand"))

    def _double(self, state: BlackjackState) -> BlackjackState:
        card, state = state.draw()
        hand = replace(state.hand.with_card(card), bet=2 * state.hand.bet, doubled=True)
        return _drawn(state.with_hand(hand.moved("double")), card)

    def _split(self, state: BlackjackState) -> BlackjackState:
        """Deal the hand in play its second card at once, the other when its turn comes; split aces both at once."""
        left, right = (replace(state.hand.moved("split"), cards=(card,), split=True) for card in state.hand.cards)
        card, state = state.draw()
        left = left.with_card(card)
        if right.cards[0].rank is Rank.ACE:
            second, state = state.draw()
            right = right.with_card(second)
        return _drawn(state.with_hand(left, right), *left.cards[1:], *right.cards[1:])

    def _surrender(self, state: BlackjackState) -> BlackjackState:
        return state.with_hand(replace(state.hand, surrendered=True).moved("surrender"))

    def _insure(self, state: BlackjackState) -> BlackjackState:
        return state.with_box(replace(state.box, insurance=state.box.insurable))

    def _decline(self, state: BlackjackState) -> BlackjackState:
        return state.with_box(replace(state.box, insurance=0))


def _advance(state: BlackjackState) -> BlackjackState:
    """Go on to the next decision, or to the end."""
    if state.phase is BlackjackPhase.INSURANCE:
        for index, box in enumerate(state.boxes):
            if box.insurance is None and state.is_insurable(box):
                return replace(state, turn=(index, 0))
        if state.rules.hole_card == "peek" and state.dealer_may_have_natural:
            if state.dealer_has_natural:
                return _finish(state)
            state = state.with_messages(Label("NO_DEALER_BLACKJACK"))
    for b, box in enumerate(state.boxes):
        for h in range(len(box.hands)):
            state = _turn_to(state, (b, h))
            if not state.hand.is_done(state.rules, len(box.hands)):
                return state if state.left else _finish(replace(state, ran_out=True))
    return _finish(state)


def _turn_to(state: BlackjackState, place: tuple[int, int]) -> BlackjackState:
    """Turn to a hand; a split one gets its second card now."""
    if (state.phase, state.turn) != (BlackjackPhase.PLAY, place):
        state = replace(state, phase=BlackjackPhase.PLAY, turn=place)
    if len(state.hand.cards) > 1 or not state.left:
        return state
    card, state = state.draw()
    return _drawn(state.with_hand(state.hand.with_card(card)), card)


def _drawn(state: BlackjackState, *cards: Card) -> BlackjackState:
    return state.with_messages(Label.of("DREW", cards=cards), Label.of("YOU_HAVE", total=state.hand.total))


def _finish(state: BlackjackState) -> BlackjackState:
    """End the round: the dealer turns the hole card, and draws if a hand is undecided."""
    state = dealer_plays(state)
    empty = (Label("SHOE_EMPTY"),) if state.ran_out else ()
    has = Label.of("DEALER_HAS", total=total(state.dealer), cards=state.dealer)
    whole = settle(state.boxes, state.dealer, state.rules).labels[0]
    decided = (Label("DEALER_BLACKJACK"),) if state.dealer_has_natural and whole.code != "DEALER_BLACKJACK" else ()
    return replace(state, phase=BlackjackPhase.OVER, said=(*state.said, *empty, has, *decided, whole))
