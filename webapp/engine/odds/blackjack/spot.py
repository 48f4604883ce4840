"""Questions about a decision at blackjack: as text, from nothing but what the player sees, and the state before it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from webapp.engine.cards import Card, Stock, format_cards, parse_cards
from webapp.engine.game import Setup
from webapp.engine.games.blackjack.game import BlackjackGame
from webapp.engine.games.blackjack.state import BlackjackHand, BlackjackPhase, BlackjackState, Box
from webapp.engine.odds.blackjack.unseen import Unseen
from webapp.engine.odds.question import ImpossibleSpot, Question, Spot, whole_number

INSURANCE: Final = "insurance"
"""``Question.ask`` where insurance is asked."""
STOOD: Final = "-"
DOUBLED: Final = "+"
"""Behind the cards of a hand of a split, in ``Question.hands``."""


def question_of(state: BlackjackState) -> Question:
    """Return the question that a state answers. Other boxes are the cards that lie there, and no more."""
    b, h = state.turn
    box, rules = state.box, state.rules
    others = (card for i, other in enumerate(state.boxes) if i != b for hand in other.hands for card in hand.cards)
    return Question(
        state.setup.variant,
        cards=format_cards(box.hands[h].cards),
        dealer=format_cards(state.dealer[:1]),
        others=format_cards(others),
        bet=str(box.bet) if rules.bets and box.bet != rules.bets.least else "",
        ask=INSURANCE if state.phase is BlackjackPhase.INSURANCE else "",
        hands=",".join(map(_text, box.hands)) if len(box.hands) > 1 else "",
    )


def _text(hand: BlackjackHand) -> str:
    done = DOUBLED if hand.doubled else STOOD if hand.stood else ""
    return _joined(hand.cards) + done


def _joined(cards: Iterable[Card]) -> str:
    return "".join(map(str, cards))


MOST_BET: Final = 999_999_999
"""Where a table has no limit."""


def spot(game: BlackjackGame, variant: str, hand: str, dealer: str, seen: str = "", bet: int = 0) -> BlackjackState:
    """Return the state of a hand that may be played against a dealer's card, with the least bet where there are bets.

    Where the dealer looks for a natural, he has looked.

    Args:
        game: the game.
        variant: the table.
        hand: the player's cards, two or more: ``"Th 6s"``.
        dealer: the dealer's open card.
        seen: cards that have been seen since the shuffle. They are only checked here.
        bet: chips, the least bet without it.

    Raises:
        NotationError: a text that is no card.
        SetupError: there is no such table, or nothing to decide.
        ImpossibleCards: more equal cards than the decks have.
    """
    state = _bare(game, variant, dealer, (hand, seen), bet)
    rules, cards = state.rules, parse_cards(hand)
    if len(cards) < 2:
        raise ImpossibleSpot("hand-least", f"a hand has two cards or more, not {len(cards)}", count=len(cards))
    own = BlackjackHand(cards, state.box.bet)
    if own.is_bust:
        raise ImpossibleSpot("bust", f"the hand is bust with {own.total}", total=own.total)
    if own.is_natural(rules):
        raise ImpossibleSpot("natural", "a natural is not played on")
    if own.is_done(rules, 1):
        raise ImpossibleSpot("stands", "21 stands by itself at this table")
    return replace(state.with_hand(own), stock=Stock((), len(cards) + 1))


def spot_of(game: BlackjackGame, question: Question) -> Spot[BlackjackState]:
    """Return the decision of a question. NotationError, SetupError as ``spot``."""
    bets = game.rules(question.variant).bets
    bet = whole_number(question.bet, "bet", bets.least, bets.most or MOST_BET, 0) if bets else 0
    others, seen = parse_cards(question.others), parse_cards(question.seen)
    named = f"{question.others} {question.seen}"
    if question.ask:
        state = _insurance_spot(game, question, named, bet)
    elif question.hands:
        state = _split_spot(game, question, named, bet)
    else:
        state = spot(game, question.variant, question.cards, question.dealer, named, bet)
    return Spot(state, others, seen)


def _insurance_spot(game: BlackjackGame, question: Question, named: str, bet: int) -> BlackjackState:
    """Return the state of a box that is asked for insurance. Its hand may be a natural."""
    own = _split_cards(question.hands) or question.cards
    state, cards = _bare(game, question.variant, question.dealer, (own, named), bet), parse_cards(question.cards)
    if len(cards) != 2:
        raise ImpossibleSpot("hand-least", f"a hand has two cards, not {len(cards)}", count=len(cards))
    asked = replace(state, phase=BlackjackPhase.INSURANCE).with_hand(BlackjackHand(cards, state.box.bet))
    if question.ask != INSURANCE or question.hands or not asked.is_insurable(asked.box):
        raise ImpossibleSpot("no-insurance", "insurance is not asked here")
    return asked


def _split_spot(game: BlackjackGame, question: Question, named: str, bet: int) -> BlackjackState:
    """Return the state of a box that was split: the first hand that is not done is played."""
    state = _bare(game, question.variant, question.dealer, (_split_cards(question.hands), named), bet)
    rules, texts = state.rules, question.hands.split(",")
    hands = tuple(_split_hand(text, state.box.bet) for text in texts[: rules.max_hands + 1])
    begun = (turn for turn, hand in enumerate(hands) if len(hand.cards) > 1 and not hand.is_done(rules, len(hands)))
    turn = next(begun, None)  # the others wait for their second card
    if not (2 <= len(hands) <= rules.max_hands and all(hand.cards for hand in hands)) or turn is None:
        raise ImpossibleSpot("no-split", f"no hand of a split is to be played: {question.hands[:40]}")
    taken = sum(len(hand.cards) for hand in hands) + 1
    return replace(state.with_box(replace(state.box, hands=hands)), turn=(0, turn), stock=Stock((), taken))


def _split_cards(hands: str) -> str:
    """Return the cards of the hands of a split."""
    return hands.translate(str.maketrans("", "", f"{STOOD}{DOUBLED},"))


def _split_hand(text: str, bet: int) -> BlackjackHand:
    cards, doubled = parse_cards(text.rstrip(STOOD + DOUBLED)), text.endswith(DOUBLED)
    stood = text.endswith(STOOD)
    return BlackjackHand(cards, 2 * bet if doubled else bet, split=True, doubled=doubled, stood=stood)


def _bare(game: BlackjackGame, variant: str, dealer: str, named: tuple[str, ...], bet: int) -> BlackjackState:
    """Return a state with a box that has no cards yet. ``named``: all cards but the dealer's, to be checked."""
    rules, up = game.rules(variant), parse_cards(dealer)
    cards = (*up, *(card for text in named for card in parse_cards(text)))
    if len(up) != 1:
        raise ImpossibleSpot("dealer-one", f"the dealer shows one card, not {len(up)}", count=len(up))
    if any(card.is_joker for card in cards):
        raise ImpossibleSpot("no-joker", "there is no joker at blackjack")
    Unseen(rules.decks, cards)
    bet = (bet or rules.bets.least) if rules.bets else 0
    return BlackjackState(
        setup=Setup(variant, (bet,) if bet else (), ((),)),
        rules=rules,
        phase=BlackjackPhase.PLAY,
        stock=Stock((), 3),
        boxes=(Box(bet, (BlackjackHand((), bet),)),),
        dealer=up,
    )
