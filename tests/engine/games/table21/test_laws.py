"""Laws of Table 21 over random rounds, and a second implementation of their settlement."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.support.table21_rounds import TABLE, any_round, nets

CHANCE = st.integers(0, 2**32).map(Random)
VALUES = {**{str(n): n for n in range(2, 10)}, **dict.fromkeys("TJQK", 10), "A": 11}


def plain_total(cards):
    """Return the total of a hand, without using the engine."""
    total = sum(VALUES[str(card)[0]] for card in cards)
    aces = sum(str(card)[0] == "A" for card in cards)
    while total > 21 and aces:
        total, aces = total - 10, aces - 1
    return total


def plain_net(hand, bank):
    own, theirs = plain_total(hand.cards), plain_total(bank.cards)
    natural = own == 21 and len(hand.cards) == 2 and not hand.split
    banks_natural = theirs == 21 and len(bank.cards) == 2
    if own > 21:
        return -hand.bet
    if natural and not banks_natural:
        return hand.bet * 3 // 2
    if banks_natural and not natural:
        return -hand.bet
    if theirs > 21 or own > theirs:
        return hand.bet
    return 0 if own == theirs else -hand.bet


@given(chance=CHANCE)
def test_what_the_players_win_the_bank_loses(chance):
    state = any_round(chance)
    assert sum(nets(state)) == 0
    assert sum(TABLE.result(state).payouts) == sum(TABLE.committed(state))
    assert all(payout >= 0 for payout in TABLE.result(state).payouts), "the bank can always pay"


@given(chance=CHANCE)
def test_every_player_gets_what_plain_rules_say(chance):
    state = any_round(chance)
    for seat in state.players:
        assert nets(state)[seat] == sum(plain_net(hand, state.banker_hand) for hand in state.hands[seat])


@given(chance=CHANCE)
def test_no_card_is_dealt_twice_and_they_leave_the_deck_in_their_order(chance):
    state = any_round(chance)
    dealt = [card for row in state.hands for hand in row for card in hand.cards]
    assert len(set(dealt)) == len(dealt) == state.stock.taken
    assert set(dealt) == set(state.setup.cards[0][: len(dealt)])


@given(chance=CHANCE)
def test_the_bank_has_drawn_to_seventeen_unless_everybody_is_bust(chance):
    state = any_round(chance)
    if state.all_bust:
        assert not state.turned
        assert len(state.banker_hand.cards) == 2
    else:
        assert plain_total(state.banker_hand.cards) >= 17
