"""Questions about draw poker: from cards as text to the state before an exchange or in the double-up."""

from collections import Counter
from dataclasses import replace

from webapp.engine.cards import STANDARD_DECK, Card, Stock, format_cards, parse_cards
from webapp.engine.draw_poker.double_up import DoubleUpOutcome, DoubleUpRound
from webapp.engine.draw_poker.game import DrawGame
from webapp.engine.draw_poker.rules import HAND, DrawRules
from webapp.engine.draw_poker.state import DrawPhase, DrawState
from webapp.engine.game import Setup
from webapp.engine.odds.question import ImpossibleSpot, Question, whole_number


def spot(game: DrawGame, variant: str, cards: str, thrown: str = "", exchanges: int | None = None) -> DrawState:
    """Return the state of five cards at a table, with the least stake where there are bets.

    Args:
        game: the game.
        variant: the table.
        cards: the hand, ``"Ah Kh Qh Jh 2c"``.
        thrown: cards of earlier exchanges, which cannot come again.
        exchanges: how many are left; None is all that are left after the thrown cards, one for each five of them.

    Raises:
        NotationError: a text that is no card.
        SetupError: there is no such table, or no such hand at it.
    """
    rules = game.rules(variant)
    hand, out = parse_cards(cards), parse_cards(thrown)
    _require_possible(hand, out, rules)
    least = -(-len(out) // HAND)
    left = rules.exchanges - least if exchanges is None else exchanges
    if not 1 <= left <= rules.exchanges - least:
        raise ImpossibleSpot(
            "exchanges",
            f"{left} exchanges left: at this table there are {rules.exchanges}, and {len(out)} cards are thrown",
            exchanges=rules.exchanges,
        )
    stakes = (rules.bets.least,) if rules.bets else ()
    start = game.start(Setup(variant, stakes, (hand,)))
    dealt = (*hand, *out)
    return replace(start, setup=Setup(variant, stakes, (dealt,)), stock=Stock(dealt, len(dealt)), exchanges_left=left)


def _require_possible(hand: tuple[Card, ...], out: tuple[Card, ...], rules: DrawRules) -> None:
    if len(hand) != HAND:
        raise ImpossibleSpot("hand-size", f"a hand has {HAND} cards, not {len(hand)}", count=len(hand))
    for card, count in Counter((*hand, *out)).items():
        if card.is_joker and count > rules.jokers:
            raise ImpossibleSpot(
                "jokers", f"too many jokers: {count}, the deck of this table has {rules.jokers or 'none'}"
            )
        if count > 1:
            raise ImpossibleSpot("twice", f"a card twice: {card}", card=str(card))


def spot_of(game: DrawGame, question: Question) -> DrawState:
    """Return the state of a question: with a score it is about the double-up.

    Raises:
        NotationError: a text that is no card.
        SetupError: there is no such table, or no such hand at it.
    """
    if question.score or question.open:
        return double_up_spot(game, question)
    most = game.rules(question.variant).exchanges
    left = whole_number(question.exchanges, "exchanges", 1, most, 0) or None
    return spot(game, question.variant, question.cards, question.thrown, left)


def double_up_spot(game: DrawGame, question: Question) -> DrawState:
    """Return the state in which a player is asked to double or collect; with an open card, to pick.

    The stake is the least, and the hand any that pays: the double-up looks at neither.
    """
    rules = game.rules(question.variant)
    limits = rules.double_up
    if limits is None:
        raise ImpossibleSpot("no-double-up", "there is no double-up at this table")
    if not question.score:
        raise ImpossibleSpot("no-score", "a round of the double-up is about a score")
    score = whole_number(question.score, "score", 1, limits.max_score - 1, 0)
    wins = whole_number(question.wins, "wins", 0, limits.max_wins - 1, 0)
    count = whole_number(question.rounds, "rounds", wins, limits.max_rounds - 1, wins)
    open_cards = parse_cards(question.open)
    if len(open_cards) > 1 or any(card.is_joker for card in open_cards):
        raise ImpossibleSpot("open", "one card lies open, and it is no joker")
    stakes = (rules.bets.least,) if rules.bets else ()
    start = game.start(Setup(question.variant, stakes, (STANDARD_DECK[:HAND],)))
    return replace(
        start,
        phase=DrawPhase.PICK if open_cards else DrawPhase.ASK,
        exchanges_left=0,
        score=score,
        rounds=(*_played(wins, count), *(DoubleUpRound((card,), score) for card in open_cards)),
    )


def _played(wins: int, count: int) -> tuple[DoubleUpRound, ...]:
    """Return ``count`` rounds of which ``wins`` were won; the others were ties."""
    outcomes = (DoubleUpOutcome.WIN,) * wins + (DoubleUpOutcome.TIE,) * (count - wins)
    return tuple(DoubleUpRound((), 0, 1, outcome, 0) for outcome in outcomes)


def thrown_cards(state: DrawState) -> tuple[Card, ...]:
    """Return the cards of earlier exchanges."""
    return tuple(card for card in state.setup.cards[0][: state.stock.taken] if card not in state.hand)


def question_of(state: DrawState) -> Question:
    """Return the question that a state answers."""
    variant = state.setup.variant
    if state.phase is DrawPhase.EXCHANGE:
        thrown = format_cards(thrown_cards(state))
        left = str(state.exchanges_left) if state.rules.exchanges > 1 else ""
        return Question(variant, cards=format_cards(state.hand), thrown=thrown, exchanges=left)
    is_pick = state.phase is DrawPhase.PICK
    played = len(state.rounds) - is_pick
    return Question(
        variant,
        score=str(state.score),
        open=format_cards(state.rounds[-1].cards[:1]) if is_pick else "",
        wins=str(state.wins) if state.wins else "",
        rounds=str(played) if played != state.wins else "",
    )
