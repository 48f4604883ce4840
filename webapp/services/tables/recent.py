"""What went before at a shared table: the last rounds, and who won what."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sqlalchemy import select

from webapp.engine.cards import Card
from webapp.extensions import db
from webapp.models import SharedTable, TableRound
from webapp.services.tables import round_cards, rounds

RECENT: Final = 5


@dataclass(frozen=True, slots=True)
class PastRoundFacts:
    """A finished round: who won what, by player, and each player's first hand."""

    key: str
    seq: int
    void: bool
    bank: str
    summary_cards: tuple[Card, ...]
    nets: tuple[tuple[str, int], ...]
    hands: tuple[tuple[str, tuple[Card, ...]], ...]


def last_dealt(table: SharedTable) -> TableRound | None:
    """Whose cards lie until the next one."""
    query = select(TableRound).where(TableRound.table_code == table.code, TableRound.dealt)
    return db.session.scalars(query.order_by(TableRound.seq.desc()).limit(1)).one_or_none()


@lru_cache(maxsize=1024)
def latest_rounds(code: str, _round_key: str) -> tuple[PastRoundFacts, ...]:
    """The last rounds, newest first. They change when one is finished, and then the key of the next one does."""
    finished = (TableRound.table_code == code, TableRound.dealt, TableRound.finished_at.is_not(None))
    newest = select(TableRound).where(*finished).order_by(TableRound.seq.desc()).limit(RECENT)
    return tuple(past_round(round) for round in db.session.scalars(newest))


def past_round(round: TableRound) -> PastRoundFacts:
    """Of a round that was dealt and is over."""
    state, nets = round_cards.round_state(round), round_cards.round_nets(round)
    bank = rounds.bet_at(round, round.bank)
    summary_cards = round_cards.round_game(round).summary_cards(state)
    return PastRoundFacts(
        key=round.key,
        seq=round.seq,
        void=round.status == "void",
        bank=bank.player_id,
        summary_cards=summary_cards,
        nets=tuple((bet.player_id, nets[bet.number]) for bet in round.bets),
        hands=tuple(
            (bet.player_id, summary_cards if bet is bank else state.hands[place][0].cards)
            for place, bet in enumerate(round.bets)
        ),
    )
