"""Commands that a shared table offers to one viewer, and the limits of the bet."""

from webapp.engine.game import affordable
from webapp.engine.games import COMPANY
from webapp.services.tables.play.bots import seats_open_to_bots
from webapp.services.tables.reading.facts import SeatFacts, Snapshot


def commands(table: Snapshot, own: SeatFacts | None) -> tuple[str, ...]:
    """Return the commands that the viewer may give, with a number for seats: ``sit-2``."""
    if table.phase == "closed":
        return ()
    if own is None:
        return tuple(f"sit-{number}" for number in table.free)
    verbs: list[str] = []
    bet = table.shown.bet(own.number) if table.shown and table.in_play else None
    if table.phase == "betting" and bet is not None and not own.leaving:
        if not bet.stake:
            verbs.append("bet")
        elif own.number == table.banker and not bet.has_cut:
            verbs.append("cut")
    if table.phase == "playing" and table.acting == own.number:
        verbs += _plays(table, own)
    if bet is None and own.ready < (2 if table.phase == "settled" else 1):
        verbs.append("ready")
    if own.leaving:
        verbs.append(f"sit-{own.number}")
    bots = (seat.number for seat in table.seats if seat.bot and not seat.leaving)
    toggles = (*seats_open_to_bots(table.free), *bots)
    return (*verbs, "policy", *(() if own.leaving else ("leave",)), *(f"bot-{number}" for number in toggles))


def _plays(table: Snapshot, own: SeatFacts) -> tuple[str, ...]:
    """Return the verbs of the actions that are legal for the seat in turn and that it can pay for."""
    assert table.shown is not None and table.shown.state is not None
    state, chips = table.shown.state, table.chips[own.player]
    return tuple(action.verb for action in affordable(COMPANY, state, chips))


def bet_limits(table: Snapshot, own: SeatFacts | None) -> tuple[int, int]:
    """Return the lowest and the highest bet that the viewer may place now; (0, 0) for none."""
    if own is None or table.shown is None or table.phase != "betting" or own.number == table.banker:
        return (0, 0)
    bet, banker = table.shown.bet(own.number), table.shown.banker
    if bet is None or bet.stake or banker is None:
        return (0, 0)
    least, most = table.rules.bet_limits({bet.number: bet.stake for bet in table.shown.bets}, banker, own.number)
    return least, min(most, table.chips[own.player])


def has_cut(table: Snapshot, own: SeatFacts | None) -> bool:
    """Return True if the viewer has cut for the round on the table or the next one."""
    if own is None:
        return False
    bet = table.shown.bet(own.number) if table.shown and table.in_play else None
    return own.has_cut or bool(bet and bet.has_cut)
