"""Questions about a decision against the banker: from cards as text to the state before it."""

from webapp.engine.action import Seat
from webapp.engine.cards import Card, Stock, format_cards, parse_cards
from webapp.engine.game import Setup
from webapp.engine.games.table21.game import Table21Game
from webapp.engine.games.table21.state import Table21Hand, Table21State
from webapp.engine.odds.blackjack.unseen import Unseen
from webapp.engine.odds.question import ImpossibleSpot, Question, Spot, whole_number

_PLAYER, _BANK = Seat(0), Seat(1)


def spot_of(game: Table21Game, question: Question) -> Spot[Table21State]:
    """Return the decision of a player alone against the banker. ``dealer`` is the banker's open card.

    Raises:
        NotationError: a text that is no card.
        SetupError: there is no such table, or nothing to decide.
    """
    rules = game.rules(question.variant)
    bet = whole_number(question.bet, "bet", rules.min_bet, rules.max_bet, rules.min_bet)
    cards, up = parse_cards(question.cards), parse_cards(question.dealer)
    others = parse_cards(f"{question.others} {question.seen}")
    if len(up) != 1:
        raise ImpossibleSpot("dealer-one", f"the bank shows one card, not {len(up)}", count=len(up))
    if len(cards) < 2:
        raise ImpossibleSpot("hand-least", f"a hand has two cards or more, not {len(cards)}", count=len(cards))
    if any(card.is_joker for card in (*cards, *up, *others)):
        raise ImpossibleSpot("no-joker", "there is no joker in this deck")
    Unseen(1, (*cards, *up, *others))
    own = Table21Hand(cards, bet)
    _require_decision(own)
    state = Table21State(
        setup=Setup(question.variant, (bet, 0), ((),), _BANK),
        rules=rules,
        banker=_BANK,
        stock=Stock((), len(cards) + 1),
        hands=((own,), (Table21Hand(up, 0),)),
        turn=(_PLAYER, 0),
    )
    return Spot(state, others)


def _require_decision(hand: Table21Hand) -> None:
    if hand.is_bust:
        raise ImpossibleSpot("bust", f"the hand is bust with {hand.total}", total=hand.total)
    if hand.is_natural:
        raise ImpossibleSpot("natural", "a natural is not played on")
    if hand.is_done:
        raise ImpossibleSpot("stands", "21 stands by itself")


def question_of(state: Table21State) -> Question | None:
    """Return the question that a state answers; None for one that only the round itself can ask."""
    if state.turn is None or state.is_bankers_turn or len(state.hands[state.turn[0]]) > 1:
        return None
    seat, stake = state.turn[0], state.setup.stakes[state.turn[0]]
    others: list[Card] = [
        card for other in state.players if other != seat for hand in state.hands[other] for card in hand.cards
    ]
    return Question(
        state.setup.variant,
        cards=format_cards(state.hand.cards),
        dealer=format_cards(state.banker_hand.cards[:1]),
        others=format_cards(others),
        bet=str(stake) if stake != state.rules.min_bet else "",
    )
