"""A finished hand in a list: its cards, how it came out, and what it paid."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from sqlalchemy import FromClause, Row, func

from webapp.engine.cards import Card
from webapp.engine.game import replay
from webapp.engine.games import GAMES
from webapp.engine.label import Label
from webapp.models import Hand, Shoe
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import Sealer, sealer, unseal_seed
from webapp.services.records.stored_hand import make_setup, parse_moves, parse_numbers

HANDS: Final = Hand.metadata.tables["hand"]
_SHOES: Final = Shoe.metadata.tables["shoe"]
_H: Final = HANDS.c
_S: Final = _SHOES.c
FACTS: Final = (
    *(_H.key, _H.player_id, _H.game, _H.variant, _H.seq, _H.status, _H.shoe_key, _H.offset, _H.commitment, _H.cut),
    *(_H.stakes, _H.moves, _H.finished_at),
    func.coalesce(_S.revealed_seed, _H.revealed_seed).label("revealed_seed"),
    func.coalesce(_S.sealed_seed, _H.sealed_seed).label("sealed_seed"),
)
"""The columns a summary is made from. A list has many hands, and objects of the whole row and its shoe take longer to
make than the list itself."""


def with_shoes(hands: FromClause) -> FromClause:
    """``HANDS``, or what was joined with them, as a query for ``FACTS`` wants it."""
    return hands.outerjoin(_SHOES, _S.key == _H.shoe_key)


@dataclass(frozen=True, slots=True)
class Summary:
    """A finished hand in a list. ``payout`` is None where it says nothing: where hands are only won, lost or drawn.

    Of a hand that no key opens there are no cards and no payout to be shown, and the label says so.
    ``net`` is what it brought to whose list it is, None where nothing was staked. Of a round at a shared table ``code``
    is the table.
    """

    key: str
    game: str
    seq: int
    status: str
    cards: tuple[Card, ...]
    label: Label
    payout: int | None
    finished_at: int
    code: str | None = None
    net: int | None = None


class _Deck(NamedTuple):
    """Where the cards are: revealed, or still sealed while the shoe is in use."""

    key: str
    player_id: str
    commitment: str
    revealed_seed: str | None
    sealed_seed: str | None


def summary_of(row: Row[*tuple[Any, ...]]) -> Summary:
    """Of the ``FACTS`` of a public hand."""
    if row.cut is None or row.finished_at is None:
        raise ValueError(f"hand {row.key} is not public")
    deck = _Deck(row.shoe_key or row.key, row.player_id, row.commitment, row.revealed_seed, row.sealed_seed)
    dealt = (row.game, row.variant, deck, row.offset, row.cut, row.stakes, row.moves, row.status)
    try:
        cards, label, paid, net = _gist(sealer(), *dealt)
    except Refusal:
        sealed = Label("SEALED" if row.status == "done" else row.status.upper())
        return Summary(row.key, row.game, row.seq, row.status, (), sealed, None, row.finished_at)
    payout = paid if GAMES[row.game].rules(row.variant).pays else None
    return Summary(row.key, row.game, row.seq, row.status, cards, label, payout, row.finished_at, net=net)


@lru_cache(maxsize=1024)
def _gist(
    _house: Sealer, code: str, variant: str, deck: _Deck, offset: int, cut: str, stakes: str, moves: str, status: str
) -> tuple[tuple[Card, ...], Label, int, int | None]:
    """The cards, label, payout and net of a hand in a list. Nothing about it can change any more, so it is replayed
    once; by each house, because what one can open another may not. Refusal ``box-broken``, of which nothing is
    remembered.
    """
    game = GAMES[code]
    seed = bytes.fromhex(deck.revealed_seed) if deck.revealed_seed else unseal_seed(deck.sealed_seed, deck)
    state = replay(
        game, make_setup(game, variant, parse_numbers(stakes), seed, deck.key, cut, offset), parse_moves(moves)
    )
    result = game.result(state)
    label = result.labels[0] if result else Label(status.upper())
    paid, staked = sum(result.payouts) if result else 0, sum(game.committed(state))
    net = None if game.rules(variant).bets is None else 0 if status == "void" else paid - staked
    return game.summary_cards(state), label, paid, net
