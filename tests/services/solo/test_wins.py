"""The tier of a win: that of the hand, or of a purse that has passed a threshold; and what counts as a loss."""

from dataclasses import replace

import pytest

from tests.support.blackjack_rounds import BLACKJACK
from tests.support.blackjack_rounds import seen as blackjack_seen
from tests.support.draw_poker_hands import KEEP_ALL, NOTHING, ONE_PAIR, POKER, deal, seen
from webapp.engine.bets import Bets
from webapp.engine.game import Result
from webapp.engine.tier import Tier
from webapp.services.solo.standing import is_lost, net_of, tier_of

BETS = Bets(start=100)


def won(paid: int, tier: Tier = Tier.GOOD):  # type: ignore[no-untyped-def]
    view = seen(deal(ONE_PAIR), KEEP_ALL, "collect")
    assert view.result is not None
    return replace(view, tier=tier, result=Result((paid,), view.result.labels))


@pytest.mark.parametrize(
    ("before", "staked", "paid", "tier"),
    [
        (150, 50, 100, Tier.GREAT),  # 200: twice the start
        (150, 50, 99, Tier.GOOD),  # 199
        (390, 10, 20, Tier.GREAT),  # 400: four times
        (210, 10, 20, Tier.GOOD),  # 220: passed before
        (90, 10, 20, Tier.GOOD),  # 100: no more than there was at the start
    ],
)
def test_a_purse_that_is_larger_than_ever_and_doubles_its_start_is_a_great_win(before, staked, paid, tier):
    purse = before - staked + paid
    assert tier_of(won(paid), BETS, purse, purse, staked) is tier


def test_a_purse_that_was_larger_once_has_passed_no_mark():
    assert tier_of(won(100), BETS, 200, 201, 50) is Tier.GOOD


def test_a_greater_win_of_the_hand_stays_what_it_is_and_nothing_is_counted_without_a_purse():
    assert tier_of(won(10_000, Tier.GREATEST), BETS, 10_000, 10_000, 100) is Tier.GREATEST
    assert tier_of(won(100), None, 200, 200, 0) is Tier.GOOD
    assert tier_of(None, BETS, 200, 200, 0) is Tier.EVEN


def test_a_hand_is_lost_if_it_brought_less_than_was_put_in():
    assert is_lost(POKER, seen(deal(NOTHING), KEEP_ALL), True, 0)
    assert not is_lost(POKER, seen(deal(ONE_PAIR), KEEP_ALL, "collect"), True, 0)
    assert not is_lost(POKER, seen(deal(ONE_PAIR), KEEP_ALL), True, 0)
    assert is_lost(POKER, won(9), True, 10)
    assert not is_lost(POKER, won(10), True, 10)


def test_where_nothing_is_paid_the_result_says_whether_it_is_lost():
    lost, drawn, good = (
        blackjack_seen(cards, "stand", table="classic") for cards in ("Th Kc 8d 9s", "Th Kc 9d 9s", "Th Kc Td 9s")
    )
    assert [is_lost(BLACKJACK, view, False, 0) for view in (lost, drawn, good)] == [True, False, False]


def test_a_stake_that_comes_back_is_nothing_won():
    assert [net_of(won(paid), BETS, 100) for paid in (250, 100, 50)] == [150, 0, -50]
    assert net_of(won(100), None, 100) == 100  # where nothing is staked all that is paid is won
    assert net_of(None, BETS, 100) == 0
    assert net_of(seen(deal(ONE_PAIR)), BETS, 100) == 0
