"""Who pays whom at the end of a round. What the players win the bank loses: nothing is made, nothing is charged."""

from webapp.engine.game import Result
from webapp.engine.games.table21.hand import Table21Hand
from webapp.engine.games.table21.rules import Table21Rules
from webapp.engine.games.table21.state import Table21State
from webapp.engine.label import Label


def hand_outcome(hand: Table21Hand, bank: Table21Hand) -> str:
    """Code of what became of a player's hand: BLACKJACK WIN DEALER_BUST PUSH LOSE BUST DEALER_BLACKJACK.

    A bust loses at once, whatever the bank does later; a natural beats any other 21; equal pushes.
    """
    if hand.is_bust:
        return "BUST"
    if hand.is_natural or bank.is_natural:
        return "PUSH" if bank.is_natural and hand.is_natural else "BLACKJACK" if hand.is_natural else "DEALER_BLACKJACK"
    if bank.is_bust:
        return "DEALER_BUST"
    return "PUSH" if hand.total == bank.total else "WIN" if hand.total > bank.total else "LOSE"


def gain(hand: Table21Hand, bank: Table21Hand, rules: Table21Rules) -> int:
    """Chips a player's hand wins from the bank, or loses to it. A natural's 3:2 is rounded down to a chip."""
    code = hand_outcome(hand, bank)
    if code == "BLACKJACK":
        won, of = map(int, rules.blackjack_pays.split(":"))
        return hand.bet * won // of
    return hand.bet if code in ("WIN", "DEALER_BUST") else 0 if code == "PUSH" else -hand.bet


def committed(state: Table21State) -> tuple[int, ...]:
    """Chips each seat has put in: its hands' bets; the bank what it may have to pay."""
    stakes = state.setup.stakes
    return tuple(
        stakes[seat] if seat == state.bank else sum(hand.bet for hand in row) for seat, row in enumerate(state.hands)
    )


def gains(state: Table21State) -> tuple[int, ...]:
    """The change in chips of each seat; their sum is nothing."""
    players = {
        seat: sum(gain(hand, state.bank_hand, state.rules) for hand in state.hands[seat]) for seat in state.players
    }
    return tuple(players.get(seat, -sum(players.values())) for seat in sorted(state.order))


def settle(state: Table21State) -> Result:
    """The first label is what the bank made of the round, then one for each player, in the order of their turns."""
    change = gains(state)
    payouts = tuple(chips + net for chips, net in zip(committed(state), change, strict=True))
    labels = (Label.of(f"BANK_{_word(change[state.bank])}", seat=state.bank, net=change[state.bank]),)
    rest = (Label.of(f"SEAT_{_word(change[seat])}", seat=seat, net=change[seat]) for seat in state.players)
    return Result(payouts, (*labels, *rest))


def _word(net: int) -> str:
    return "WON" if net > 0 else "LOST" if net < 0 else "EVEN"
