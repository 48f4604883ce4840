"""The tier of the win that a hand brought its player, and whether the hand was lost."""

from webapp.engine.bets import Bets
from webapp.engine.game import AnyGame, View
from webapp.engine.tier import Tier, tier_with_purse


def tier_of(view: View | None, bets: Bets | None, purse: int, peak: int, staked: int) -> Tier:
    """Return how great a win the last action has brought: that of the hand, or of the purse that it has filled."""
    if view is None:
        return Tier.EVEN
    if bets is None or view.result is None:
        return view.tier
    return tier_with_purse(view.tier, bets.start, purse - sum(view.result.payouts) + staked, purse, peak)


def net_of(view: View | None, bets: Bets | None, staked: int) -> int:
    """Return what a finished hand has brought: its payouts, less the chips staked on it; 0 while it is played."""
    result = view.result if view else None
    return 0 if result is None else sum(result.payouts) - (staked if bets else 0)


def is_lost(game: AnyGame, view: View | None, pays: bool, staked: int) -> bool:
    """Return whether a hand is over and brought less than was put in, or nothing."""
    result = view.result if view else None
    if result is None:
        return False
    if pays:
        return sum(result.payouts) < max(staked, 1)
    return result.labels[0].code not in game.spec.won | game.spec.drawn
