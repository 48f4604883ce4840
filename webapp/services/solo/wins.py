"""How great a win a hand was for its player."""

from webapp.engine.bets import Bets
from webapp.engine.game import AnyGame, View
from webapp.engine.tier import Tier


def tier_of(view: View | None, bets: Bets | None, purse: int, peak: int, staked: int) -> Tier:
    """Return how great a win the last action has brought: that of the hand, or of the purse that it has filled.

    A purse that is larger than ever, and has just passed twice, four times, eight times its start, is a great win.
    """
    if view is None:
        return Tier.EVEN
    if bets is None or view.result is None or purse < peak:
        return view.tier
    before = purse - sum(view.result.payouts) + staked
    passed = _doublings(purse, bets) > _doublings(before, bets)
    return max(view.tier, Tier.GREAT) if passed else view.tier


def is_lost(game: AnyGame, view: View | None, pays: bool, staked: int) -> bool:
    """Return whether a hand is over and brought less than was put in, or nothing."""
    result = view.result if view else None
    if result is None:
        return False
    if pays:
        return sum(result.payouts) < max(staked, 1)
    return result.labels[0].code not in game.spec.won | game.spec.drawn


def _doublings(purse: int, bets: Bets) -> int:
    """Return how many times the start of a purse has doubled; 0 for less than twice."""
    return max(1, (purse // bets.start).bit_length()) - 1
