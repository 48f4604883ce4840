"""The odds of blackjack, by the protocol that all games share.

Values are by the book: from the whole shoe without the cards that lie open in this round. With ``seen`` they are from
the shoe without all cards that were seen since it was shuffled. They are exact, but for this: hands of a split are
played by a fixed policy, and the hands of boxes that act later as if no more cards were seen until then.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from webapp.engine.action import Action, Seat
from webapp.engine.cards import STANDARD_DECK, Card, Rank, Stock
from webapp.engine.game import Setup
from webapp.engine.games.blackjack.game import DECLINE, INSURE, BlackjackGame
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.games.blackjack.settlement import DRAWN, WON, hand_outcome, settle
from webapp.engine.games.blackjack.state import BlackjackPhase, BlackjackState, Box
from webapp.engine.label import Label
from webapp.engine.odds.blackjack.box_values import DOUBLE, HIT, SPLIT, STAND, SURRENDER, BoxValues, Known
from webapp.engine.odds.blackjack.compositions import POINTS, TEN, Shares, index_of, total_of
from webapp.engine.odds.blackjack.count_index import CountIndices
from webapp.engine.odds.blackjack.dealer_outcomes import DealerOutcomes, Evaluate, evaluate_plainly
from webapp.engine.odds.blackjack.dealer_sequences import BUST
from webapp.engine.odds.blackjack.edge import WITHOUT_INFLUENCE, edge, unusual_choices
from webapp.engine.odds.blackjack.indices import count_indices, index_arrays
from webapp.engine.odds.blackjack.spot import question_of, spot_of
from webapp.engine.odds.blackjack.unseen import ImpossibleCards, Unseen
from webapp.engine.odds.question import Question, Scale, Spot
from webapp.engine.odds.simulated import Shuffle
from webapp.engine.odds.value import ActionValue, Arrays, Decision, GameValue, Method, Number, Reason, TableStore
from webapp.engine.twenty_one.counting import CountingSystem
from webapp.engine.twenty_one.hand import BEST, hard_total, total, value

MOST: Final = 120
"""More cards than a round takes."""


def unseen_cards(spot: Spot[BlackjackState]) -> tuple[Card, ...]:
    """Return the whole shoe without the cards that lie open in this round."""
    state = spot.state
    open_cards = (state.dealer[0], *(card for hand in state.hands for card in hand.cards), *spot.others)
    shoe = Counter(dict.fromkeys(STANDARD_DECK, state.rules.decks))
    shoe.subtract(open_cards)
    return tuple(shoe.elements())


def dealt_by_chance(state: BlackjackState, unseen: Sequence[Card], shuffle: Shuffle) -> BlackjackState | None:
    """Return a state in which unseen cards come by chance; None if the dealer would have a natural, and has looked."""
    cards = shuffle(unseen, MOST)
    dealer = state.dealer[:1]
    if state.rules.hole_card == "peek":
        dealer, cards = (*dealer, cards[0]), cards[1:]
    taken = state.stock.taken
    state = replace(state, dealer=dealer, stock=Stock((*dealer[:1] * taken, *cards), taken))
    looked = state.phase is BlackjackPhase.PLAY and len(dealer) > 1
    return None if looked and state.dealer_has_natural else state


def likeness(state: BlackjackState) -> Hashable:
    """Return what states have in common that are played on alike: the other hands of a split make no difference."""
    hand, box = state.hand, state.box
    return (
        state.phase,
        state.turn,
        len(box.hands),
        *sorted(map(value, hand.cards)),
        hand.split,
        hand.may_split(state.rules, len(box.hands)),
        *(other.insurance for other in state.boxes),
    )


STRONG: Final = 18
"""Totals from here on beat, or equal, what the dealer makes when he is not bust more often than not."""
_LOWEST: Final = 17
"""The dealer's lowest total."""


def reason_of(known: Known, state: BlackjackState, action: Action, decision: Decision) -> Reason:
    """Return the reason of an action."""
    unseen = np.array(known.unseen.counts)
    if state.phase is BlackjackPhase.INSURANCE:
        return _reason("TENS", tens=int(unseen[TEN]), unseen=int(unseen.sum()))
    cards = state.hand.cards
    win, lose, dealer_bust = _standing(known, total(cards))
    stand = {"total": total(cards), "win": _percent(win), "lose": _percent(lose)}
    if action.verb == SURRENDER:
        other = max(option.value for option in decision.options if option.action != action)
        return _reason("SURRENDER", lost=_percent(-float(other) / (state.box.bet or 1)))
    if action.verb == SPLIT:
        return _reason("SPLIT", **stand, each=total(cards[:1]))
    hard, has_ace = hard_total(cards), any(card.rank is Rank.ACE for card in cards)
    if action.verb == DOUBLE:
        totals = [total_of(hard + points, has_ace or points == 1)[0] for points in POINTS.tolist()]
        strong = int(unseen[[STRONG <= made <= BEST for made in totals]].sum())
        return _reason("DOUBLE", strong=strong, unseen=int(unseen.sum()), bust=_percent(dealer_bust))
    bust = int(unseen[hard + POINTS > BEST].sum())
    risk = {**stand, "bust": bust, "unseen": int(unseen.sum())}
    if action.verb == HIT:
        values = {option.action.verb: float(option.value) / (state.box.bet or 1) for option in decision.options}
        risk |= {"hit": _percent(values[HIT]), "stand": _percent(values[STAND])}
        return _reason("HIT_RISK" if bust else "HIT", **risk)
    return _reason("RISK" if bust else "NO_RISK", **risk)


def _standing(known: Known, own: int) -> tuple[float, float, float]:
    """Return how often a total that stands wins and loses, and how often the dealer is bust."""
    chances = known.outcomes.chances(np.zeros(1, np.int64))[0] / known.counted
    beaten = range(_LOWEST, own)
    win = chances[BUST] + sum(chances[points - _LOWEST] for points in beaten)
    push = chances[own - _LOWEST] if own >= _LOWEST else 0.0
    return float(win), float(1 - win - push), float(chances[BUST])


def _percent(chance: float) -> int:
    return round(100 * chance)


def _reason(code: str, **args: object) -> Reason:
    return Reason(Label.of(f"WHY_{code}", **args))  # type: ignore[arg-type]


_EXACT: Final = Method("blackjack-1", exact=True)
_FIXED_POLICY: Final = Method("blackjack-1-split", exact=False)
_LEAST: Final = 1e-9
"""No chance is so small but none at all."""


class BlackjackOdds:
    """The ``Odds`` of a game of blackjack. ``evaluate``: how the dealer's chances are computed."""

    def __init__(self, game: BlackjackGame, evaluate: Evaluate = evaluate_plainly) -> None:
        self._game = game
        self._evaluate = evaluate

    def start(self, setup: Setup, seat: Seat, store: TableStore, seen: tuple[Card, ...] = ()) -> Number:
        rules = self._game.rules(setup.variant)
        bets = setup.stakes or (0,)
        edges = {bet: self._edge(rules, bet or None, store, seen) for bet in {*bets}}
        return sum((bet or 1) * edges[bet] for bet in bets)

    def value(self, state: BlackjackState, seat: Seat, store: TableStore, seen: tuple[Card, ...] = ()) -> Number:
        if state.phase is BlackjackPhase.OVER:
            return self._outcome(state)
        return self.decision(state, store, seen).best.value

    def decision(self, state: BlackjackState, store: TableStore, seen: tuple[Card, ...] = ()) -> Decision:
        known = self._known(state, seen)
        legal = self._game.legal_actions(state)
        b, h = state.turn
        box = state.box
        rest = sum(_box_value(known, state, other) for other in range(len(state.boxes)) if other != b)
        if state.phase is BlackjackPhase.INSURANCE:
            insured = replace(box, insurance=box.insurable)
            declined = replace(box, insurance=0)
            worth = {
                INSURE: rest + _of_box(known, insured, 0, looked=False),
                DECLINE: rest + _of_box(known, declined, 0, looked=False),
            }
        else:
            values = BoxValues(known, box.hands, h, _shares(state.rules, box)).actions
            certain = _insurance(known, box, looked=True)
            worth = {action: rest + certain + (box.bet or 1) * values[action.verb] / known.counted for action in legal}
        options = sorted((ActionValue(action, worth[action]) for action in legal), key=lambda option: -option.value)
        return Decision(tuple(options), _FIXED_POLICY if _may_split(state) else _EXACT)

    def count_indices(self, variant: str, system: CountingSystem, store: TableStore) -> CountIndices:
        """Return the index numbers of a table."""
        rules = self._game.rules(variant)
        name = "-".join(("index-1", _name(rules, None), ".".join(map(str, system.tags))))
        return count_indices(rules, system, store.tables(name, lambda: index_arrays(rules, system, self._evaluate)))

    def game(self, variant: str, store: TableStore) -> GameValue:
        return GameValue("edge", self._edge(self._game.rules(variant), None, store, ()), _FIXED_POLICY)

    def prepare(self, variant: str, store: TableStore) -> None:
        self._game.rules(variant)

    def rule_prices(self, variant: str, store: TableStore) -> Mapping[str, Number]:
        rules = self._game.rules(variant)
        whole = self._edge(rules, None, store, ())
        return {
            name: whole - self._edge(replace(rules, **change), None, store, ())
            for name, change in unusual_choices(rules).items()
        }

    def spot(self, question: Question) -> Spot[BlackjackState]:
        return spot_of(self._game, question)

    def question(self, state: BlackjackState) -> Question | None:
        return question_of(state)

    def reason(
        self, state: BlackjackState, action: Action, decision: Decision, store: TableStore, seen: tuple[Card, ...] = ()
    ) -> Reason | None:
        return reason_of(self._known(state, seen), state, action, decision)

    def unseen(self, spot: Spot[BlackjackState]) -> tuple[Card, ...]:
        """Return the cards that can still come, see ``Dealing``."""
        return unseen_cards(spot)

    def dealt(self, state: BlackjackState, unseen: Sequence[Card], shuffle: Shuffle) -> BlackjackState | None:
        """Return a state in which unseen cards come by chance, if those can be."""
        return dealt_by_chance(state, unseen, shuffle)

    def alike(self, state: BlackjackState) -> Hashable:
        """Return what states have in common that are played on alike."""
        return likeness(state)

    def scale(self, state: BlackjackState) -> Scale:
        bet = state.box.bet
        return Scale("bets", unit=bet, stake=bet) if bet else Scale("rounds", stake=1)

    def _outcome(self, state: BlackjackState) -> Number:
        """Return what a finished round brought."""
        if state.rules.bets:
            return sum(settle(state.boxes, state.dealer, state.rules).payouts) - sum(self._game.committed(state))
        codes = [hand_outcome(hand, state.dealer, state.rules) for hand in state.hands]
        return sum(1 if code in WON else 0 if code in DRAWN else -1 for code in codes)

    def _known(self, state: BlackjackState, seen: tuple[Card, ...]) -> Known:
        up = state.dealer[0]
        own = (card for hand in state.hands for card in hand.cards)
        unseen = Unseen(state.rules.decks, (up, *own, *seen))
        if not any(unseen.counts):
            raise ImpossibleCards("none-left", "all cards of the shoe are named")
        outcomes = DealerOutcomes(state.rules, index_of(up), np.array(unseen.counts), self._evaluate)
        known = Known(state.rules, unseen, outcomes)
        if state.phase is BlackjackPhase.PLAY and known.counted < _LEAST:
            raise ImpossibleCards("dealer-natural", "with these cards the dealer would have a natural")
        return known

    def _edge(self, rules: BlackjackRules, bet: int | None, store: TableStore, seen: tuple[Card, ...]) -> float:
        deck = np.array(Unseen(rules.decks, seen).counts)

        def build() -> Arrays:
            return {"edge": np.array([edge(rules, bet, deck, self._evaluate)])}

        return float((store.tables(_name(rules, bet), build) if not seen else build())["edge"][0])


def _name(rules: BlackjackRules, bet: int | None) -> str:
    """Return the name under which the edge of a table is kept."""
    words = (str(getattr(rules, name)) for name in rules.in_force if name not in WITHOUT_INFLUENCE)
    naturals = "naturals" if rules.naturals else "plain"
    text = "-".join(("blackjack-1", *words, naturals, str(bet or "any")))
    return "".join(letter if letter.isalnum() or letter in "-." else "." for letter in text)


def _shares(rules: BlackjackRules, box: Box) -> Shares:
    return Shares.of(rules, box.bet or None)


def _may_split(state: BlackjackState) -> bool:
    """Return True if a value depends on hands of a split that are still to be played."""
    rules = state.rules
    return len(state.boxes) > 1 or any(
        len(box.hands) > 1 or box.hands[0].may_split(rules, len(box.hands)) for box in state.boxes
    )


def _box_value(known: Known, state: BlackjackState, index: int) -> float:
    """Return the value in chips of a box whose turn it is not."""
    box, rules = state.boxes[index], state.rules
    looked = state.phase is BlackjackPhase.PLAY
    if box.insurance is None and state.phase is BlackjackPhase.INSURANCE and state.is_insurable(box):
        offers = (replace(box, insurance=chips) for chips in (0, box.insurable))
        return max(_of_box(known, offered, 0, looked=False) for offered in offers)
    turns = (turn for turn, hand in enumerate(box.hands) if not hand.is_done(rules, len(box.hands)))
    turn = len(box.hands) if index < state.turn[0] and looked else next(turns, len(box.hands))
    return _of_box(known, box, turn, looked=looked)


def _of_box(known: Known, box: Box, turn: int, *, looked: bool) -> float:
    """Return the value of a box under best play from a hand on.

    looked: the dealer has looked, where he does, and has no natural.
    """
    hands, rules = box.hands, known.rules
    if turn < len(hands) and hands[turn].is_done(rules, len(hands)):
        turn += 1
    unit = box.bet or 1
    worth = BoxValues(known, hands, turn, _shares(rules, box)).best()
    if not known.peeks:
        return unit * worth + _insurance(known, box, looked=False)
    if looked:
        return unit * worth / known.counted + _insurance(known, box, looked=True)
    lost = 0.0 if hands[0].is_natural(rules) else known.natural
    return unit * (worth - lost) + _insurance(known, box, looked=False)


def _insurance(known: Known, box: Box, *, looked: bool) -> float:
    """Return the average gain of a box's insurance."""
    chance = 0.0 if looked and known.peeks else known.natural
    return (box.insurance or 0) * (3 * chance - 1)
