"""Settlement of a round: what the players win the banker loses."""

from webapp.engine.game import Result
from webapp.engine.games.table21.rules import Table21Rules
from webapp.engine.games.table21.state import Table21Hand, Table21State
from webapp.engine.label import Label


def hand_outcome(hand: Table21Hand, banker: Table21Hand) -> str:
    """Return the result of a player's hand: BLACKJACK WIN DEALER_BUST PUSH LOSE BUST DEALER_BLACKJACK.

    A bust loses at once, whatever the banker does later; a natural beats any other 21; equal pushes.
    """
    if hand.is_bust:
        return "BUST"
    if hand.is_natural or banker.is_natural:
        if hand.is_natural and banker.is_natural:
            return "PUSH"
        return "BLACKJACK" if hand.is_natural else "DEALER_BLACKJACK"
    if banker.is_bust:
        return "DEALER_BUST"
    return "PUSH" if hand.total == banker.total else "WIN" if hand.total > banker.total else "LOSE"


def gain(hand: Table21Hand, banker: Table21Hand, rules: Table21Rules) -> int:
    """Return the chips a player's hand wins from the banker, or loses. A natural's 3:2 is rounded down to a chip."""
    code = hand_outcome(hand, banker)
    if code == "BLACKJACK":
        won, of = map(int, rules.blackjack_pays.split(":"))
        return hand.bet * won // of
    return hand.bet if code in ("WIN", "DEALER_BUST") else 0 if code == "PUSH" else -hand.bet


def committed(state: Table21State) -> tuple[int, ...]:
    """Return the chips each seat has put in: the bets of its hands; the banker all that may have to be paid."""
    stakes = state.setup.stakes
    return tuple(
        stakes[seat] if seat == state.banker else sum(hand.bet for hand in row) for seat, row in enumerate(state.hands)
    )


def gains(state: Table21State) -> tuple[int, ...]:
    """Return the change in chips of each seat; their sum is 0. A round that is void changes nothing."""
    if state.void:
        return (0,) * len(state.hands)
    players = {
        seat: sum(gain(hand, state.banker_hand, state.rules) for hand in state.hands[seat]) for seat in state.players
    }
    return tuple(players.get(seat, -sum(players.values())) for seat in sorted(state.order))


def settle(state: Table21State) -> Result:
    """Return the result. Its labels: what the banker won or lost, then each player, in the order of their turns.

    A round that is void pays nothing: the stakes go back.
    """
    if state.void:
        return Result((), (Label("VOID"),))
    change = gains(state)
    payouts = tuple(chips + net for chips, net in zip(committed(state), change, strict=True))
    labels = (Label.of(f"BANK_{_word(change[state.banker])}", seat=state.banker, net=change[state.banker]),)
    rest = (Label.of(f"SEAT_{_word(change[seat])}", seat=seat, net=change[seat]) for seat in state.players)
    return Result(payouts, (*labels, *rest))


def _word(net: int) -> str:
    return "WON" if net > 0 else "LOST" if net < 0 else "EVEN"
