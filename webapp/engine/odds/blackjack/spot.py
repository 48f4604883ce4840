"""A decision at blackjack that somebody asks about: cards as text, to a state before it."""

from typing import Final

from webapp.engine.cards import Card, format_cards, parse_cards
from webapp.engine.game import Setup
from webapp.engine.games.blackjack.game import BlackjackGame
from webapp.engine.games.blackjack.hand import BlackjackHand, Box
from webapp.engine.games.blackjack.state import BlackjackPhase, BlackjackState
from webapp.engine.odds.blackjack.unseen import Unseen
from webapp.engine.odds.question import ImpossibleSpot, Question, Spot, whole_number
from webapp.engine.stock import Stock

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
    rules = game.rules(variant)
    cards, up, gone = parse_cards(hand), parse_cards(dealer), parse_cards(seen)
    if len(up) != 1:
        raise ImpossibleSpot("dealer-one", f"the dealer shows one card, not {len(up)}", count=len(up))
    if len(cards) < 2:
        raise ImpossibleSpot("hand-least", f"a hand has two cards or more, not {len(cards)}", count=len(cards))
    _require_no_joker((*cards, *up, *gone))
    Unseen(rules.decks, (*cards, *up, *gone))
    bet = (bet or rules.bets.least) if rules.bets else 0
    own = BlackjackHand(cards, bet)
    if own.is_bust:
        raise ImpossibleSpot("bust", f"the hand is bust with {own.total}", total=own.total)
    if own.is_natural(rules):
        raise ImpossibleSpot("natural", "a natural is not played on")
    if own.is_done(rules, 1):
        raise ImpossibleSpot("stands", "21 stands by itself at this table")
    return BlackjackState(
        setup=Setup(variant, (bet,) if bet else (), ((),)),
        rules=rules,
        phase=BlackjackPhase.PLAY,
        stock=Stock((), len(cards) + 1),
        boxes=(Box(bet, (own,)),),
        dealer=up,
    )


def _require_no_joker(cards: tuple[Card, ...]) -> None:
    if any(card.is_joker for card in cards):
        raise ImpossibleSpot("no-joker", "there is no joker at blackjack")


def spot_of(game: BlackjackGame, question: Question) -> Spot[BlackjackState]:
    """Return the decision of a question. NotationError, SetupError as ``spot``."""
    bets = game.rules(question.variant).bets
    bet = whole_number(question.bet, "bet", bets.least, bets.most or MOST_BET, 0) if bets else 0
    others, seen = parse_cards(question.others), parse_cards(question.seen)
    named = f"{question.others} {question.seen}"
    return Spot(spot(game, question.variant, question.cards, question.dealer, named, bet), others, seen)


def question_of(state: BlackjackState) -> Question | None:
    """Return the question that a state answers; None for one that only the hand itself can ask."""
    b, _ = state.turn
    box, rules = state.boxes[b], state.rules
    if state.phase is not BlackjackPhase.PLAY or len(box.hands) > 1:
        return None
    others = (card for i, other in enumerate(state.boxes) if i != b for hand in other.hands for card in hand.cards)
    return Question(
        state.setup.variant,
        cards=format_cards(box.hands[0].cards),
        dealer=format_cards(state.dealer[:1]),
        others=format_cards(others),
        bet=str(box.bet) if rules.bets and box.bet != rules.bets.least else "",
    )
