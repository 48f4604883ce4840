"""The finished hands of a player: newest first, and those that paid most."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, bindparam, false, literal, select, true, tuple_
from sqlalchemy.orm import InstrumentedAttribute

from webapp.engine.games import COMPANY, GAMES
from webapp.engine.label import Label
from webapp.engine.shuffling import is_word
from webapp.extensions import db
from webapp.models import IS_PUBLIC, Hand, LedgerEntry, RoundSeat, TableRound
from webapp.services.core.errors import Refusal
from webapp.services.records.stored_round import past_round, round_returns
from webapp.services.records.summary import FACTS, HANDS, Summary, summary_of, with_shoes

BEST: Final = 3
CANDIDATES: Final = 24
"""Hands that paid most, among which the best are those worth telling: a large bet that comes back pays, too."""
LOOKED_AT: Final = 3000
"""Latest entries of a purse's ledger among which the best are looked for: a page does not grow slow with its player."""

_L: Final = LedgerEntry.metadata.tables["ledger_entry"].c
_LATEST: Final = (
    select(_L.id, _L.hand_key, _L.amount, _L.reason)
    .where(_L.player_id == bindparam("player"), _L.game == bindparam("game"))
    .order_by(_L.id.desc())
    .limit(LOOKED_AT)
    .subquery()
)
_BEST: Final = (
    select(_LATEST.c.hand_key, _LATEST.c.amount)
    .where(_LATEST.c.reason == "payout", _LATEST.c.amount > 0, _LATEST.c.hand_key.is_not(None))
    .order_by(_LATEST.c.amount.desc(), _LATEST.c.id)
    .limit(CANDIDATES)
)
_HANDS: Final = select(*FACTS).select_from(with_shoes(HANDS)).where(HANDS.c.key.in_(bindparam("keys", expanding=True)))


def best_hands(player: str | None, game: str) -> tuple[Summary, ...]:
    """Return the hands of a game that paid this player most and are worth telling, the best first."""
    paid = {row.hand_key: row.amount for row in db.session.execute(_BEST, {"player": player, "game": game})}
    if not paid:
        return ()
    hands = db.session.execute(_HANDS, {"keys": list(paid)}).all()
    public = (summary_of(hand) for hand in hands if hand.cut is not None and hand.finished_at is not None)
    told = (hand for hand in public if hand.is_worth_telling)  # none is whose shoe no key opens
    return tuple(sorted(told, key=lambda hand: -paid[hand.key])[:BEST])


PAGE: Final = 20

_ROUNDS: Final = select(TableRound).where(TableRound.key.in_(bindparam("keys", expanding=True)))


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """One page of a list. ``before`` is the key after which the next page begins, None on the last page."""

    hands: tuple[Summary, ...]
    before: str | None


def latest_hands(player: str | None, most: int) -> tuple[Summary, ...]:
    """Return the latest finished hands of all games."""
    return _finished(player, most)


def history_page(player: str | None, before: str | None = None, game: str | None = None) -> HistoryPage:
    """Return a page of finished hands: the latest, or those that ended before the hand with the key ``before``.

    ``game``: only the hands of this one.

    Raises:
        Refusal: ``unknown-game``.
    """
    if game is not None and game not in GAMES:
        raise Refusal("unknown-game", game)
    hands = _finished(player, PAGE + 1, before, game)
    return HistoryPage(hands[:PAGE], hands[PAGE - 1].key if len(hands) > PAGE else None)


def _finished(player: str | None, most: int, before: str | None = None, game: str | None = None) -> tuple[Summary, ...]:
    """Return summaries by three queries, however many there are: keys in order, then hands, then rounds."""
    if player is None:
        return ()
    keys = _keys(player, most, _ended(player, before), game)
    alone = [key for key, is_round in keys.items() if not is_round]
    shared = [key for key, is_round in keys.items() if is_round]
    hands: dict[str, Summary] = {}
    if alone:
        hands |= {row.key: summary_of(row) for row in db.session.execute(_HANDS, {"keys": alone})}
    if shared:
        rounds = db.session.scalars(_ROUNDS, {"keys": shared})
        hands |= {round.key: _summary_of_round(round, player) for round in rounds}
    return tuple(hands[key] for key in keys)


def _keys(player: str, most: int, last: tuple[int, str] | None, game: str | None) -> dict[str, bool]:
    """Return keys, newest first, and for each if it is a round.

    The database sorts, because each has its own order of texts.
    """
    own = (Hand.player_id == player, IS_PUBLIC, Hand.game == game if game else true())
    alone = _newest(Hand.key, Hand.finished_at, False, own, most, last)
    is_shared = true() if game in (None, COMPANY.spec.code) else false()
    mine = (RoundSeat.player_id == player, RoundSeat.finished_at.is_not(None), is_shared)
    shared = _newest(RoundSeat.round_key, RoundSeat.finished_at, True, mine, most, last)
    both = select(alone.subquery()).union_all(select(shared.subquery())).subquery()
    newest = select(both.c.key, both.c.shared).order_by(both.c.at.desc(), both.c.key.desc()).limit(most)
    return {key: bool(is_round) for key, is_round in db.session.execute(newest)}


def _newest(
    key: InstrumentedAttribute[str],
    at: InstrumentedAttribute[int | None],
    is_round: bool,
    mine: tuple[ColumnElement[bool], ...],
    most: int,
    last: tuple[int, str] | None,
) -> Select[*tuple[Any, ...]]:
    """Select the newest of one of the two tables; both have an index in this order."""
    hands = select(key.label("key"), at.label("at"), literal(int(is_round)).label("shared")).where(*mine)
    if last is not None:
        hands = hands.where(tuple_(at, key) < tuple_(literal(last[0]), literal(last[1])))
    return hands.order_by(at.desc(), key.desc()).limit(most)


def _ended(player: str, key: str | None) -> tuple[int, str] | None:
    """Return when a hand or round of this player ended, and its key; None for any other key."""
    if not key or not is_word(key):
        return None
    alone = select(Hand.finished_at).where(Hand.key == key, Hand.player_id == player)
    shared = select(RoundSeat.finished_at).where(RoundSeat.round_key == key, RoundSeat.player_id == player)
    at = db.session.scalar(alone.union_all(shared).limit(1))
    return None if at is None else (at, key)


def _summary_of_round(round: TableRound, player: str) -> Summary:
    """Return a finished round as one of its players sees it: their cards and net."""
    assert round.finished_at is not None
    try:
        facts = past_round(round)
    except Refusal:
        void, code = Label("VOID"), round.table_code
        at, returned = round.finished_at, dict(round_returns(round)).get(player, 0)
        return Summary(round.key, round.game, round.seq, round.status, (), void, None, at, code, 0, returned=returned)
    net, returned = dict(facts.nets)[player], dict(facts.returned).get(player, 0)
    word = "WON" if net > 0 else "LOST" if net < 0 else "EVEN"
    return Summary(
        key=round.key,
        game=round.game,
        seq=round.seq,
        status=round.status,
        cards=dict(facts.hands)[player],
        label=Label("VOID") if facts.void else Label.of(f"ROUND_{word}", net=net),
        payout=None,
        finished_at=round.finished_at,
        code=round.table_code,
        net=net,
        returned=returned,
    )
