"""Finished hands in lists: summary cards, result and chips."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from flask import current_app
from sqlalchemy import FromClause, Row, func

from webapp.engine.cards import Card
from webapp.engine.game import AnyGame
from webapp.engine.games import GAMES
from webapp.engine.label import Label
from webapp.engine.tier import Tier
from webapp.models import Hand, Shoe
from webapp.services.core.cache import Cache
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import unseal_seed
from webapp.services.records.hand_state import replayed

HANDS: Final = Hand.metadata.tables["hand"]
_SHOES: Final = Shoe.metadata.tables["shoe"]
_H: Final = HANDS.c
_S: Final = _SHOES.c
FACTS: Final = (
    *(_H.key, _H.player_id, _H.game, _H.variant, _H.seq, _H.status, _H.shoe_key, _H.offset, _H.commitment, _H.cut),
    *(_H.stakes, _H.moves, _H.finished_at, _H.helped, _H.net),
    func.coalesce(_S.revealed_seed, _H.revealed_seed).label("revealed_seed"),
    func.coalesce(_S.sealed_seed, _H.sealed_seed).label("sealed_seed"),
)
"""Columns that a summary is made from. A list has many hands: to load whole rows and shoes as objects takes longer than
all the rest."""


_PLAIN_WINS: Final = frozenset({"WIN", "DEALER_BUST", "ROUND_WON"})
"""Results that name no hand: each of them is at least a good win."""


def with_shoes(hands: FromClause) -> FromClause:
    """Join shoes to ``HANDS``, or to what they were joined with, for a query of ``FACTS``."""
    return hands.outerjoin(_SHOES, _S.key == _H.shoe_key)


@dataclass(frozen=True, slots=True)
class Summary:
    """A finished hand or round in the list of a player.

    ``payout`` is None where hands are only won, lost or drawn. ``net`` is the player's change in chips, None where
    nothing is staked; ``returned``: the chips that went back, if the hand is void. A hand that no key opens has none of
    these, nor cards, and its label says so. ``code`` is the table of a round at a shared table. ``finished_at`` is in
    unix milliseconds. ``helped``: the player was shown what a decision is worth before it was made.
    ``is_worth_telling``: a win by a named hand or by a blackjack, or of twice the bet and more.
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
    helped: bool = False
    returned: int = 0
    is_worth_telling: bool = False


class _Owner(NamedTuple):
    """The hand or shoe that has the seed: revealed, or still sealed while the shoe is in use."""

    key: str
    player_id: str
    commitment: str
    revealed_seed: str | None
    sealed_seed: str | None


class _Gist(NamedTuple):
    """The part of a summary that takes a replay to know. Chips are those of the rules."""

    cards: tuple[Card, ...]
    label: Label
    payout: int
    net: int | None
    returned: int
    is_worth_telling: bool


class Summaries(Cache[tuple[object, ...], Summary]):
    """Summaries by the ``FACTS`` that they follow from. Each answer to a player shows five of them. bench: server."""


def summary_of(row: Row[*tuple[Any, ...]]) -> Summary:
    """Return the summary of the ``FACTS`` of a public hand, which are the last columns of the row.

    Raises:
        ValueError: The hand is not public.
    """
    summaries: Summaries = current_app.extensions["summaries"]
    return summaries.get(tuple(row[-len(FACTS) :]), lambda: _made(row))


def _made(row: Row[*tuple[Any, ...]]) -> Summary:
    if row.cut is None or row.finished_at is None:
        raise ValueError(f"hand {row.key} is not public")
    owner = _Owner(row.shoe_key or row.key, row.player_id, row.commitment, row.revealed_seed, row.sealed_seed)
    try:
        gist = _gist(row.game, row.variant, owner, row.offset, row.cut, row.stakes, row.moves, row.status)
    except Refusal:
        sealed = Label("SEALED" if row.status == "done" else row.status.upper())
        return Summary(row.key, row.game, row.seq, row.status, (), sealed, None, row.finished_at, helped=row.helped)
    due = gist.payout if gist.net is None else gist.net
    unpaid = 0 if row.net is None else due - row.net
    return Summary(
        key=row.key,
        game=row.game,
        seq=row.seq,
        status=row.status,
        cards=gist.cards,
        label=gist.label,
        payout=gist.payout - unpaid if GAMES[row.game].rules(row.variant).pays else None,
        finished_at=row.finished_at,
        net=None if gist.net is None else gist.net - unpaid,
        helped=row.helped,
        returned=gist.returned,
        is_worth_telling=gist.is_worth_telling,
    )


def _gist(code: str, variant: str, owner: _Owner, offset: int, cut: str, stakes: str, moves: str, status: str) -> _Gist:
    """Replay a hand.

    Raises:
        Refusal: ``box-broken``: no key opens it.
    """
    game = GAMES[code]
    seed = bytes.fromhex(owner.revealed_seed) if owner.revealed_seed else unseal_seed(owner.sealed_seed, owner)
    state = replayed(code, variant, stakes, seed, owner.key, cut, offset, moves)
    result = game.result(state)
    label = result.labels[0] if result else Label(status.upper())
    paid, staked = sum(result.payouts) if result else 0, sum(game.committed(state))
    net, returned = paid - staked, 0
    if status == "void":
        net, returned = 0, staked
    has_bets = game.rules(variant).bets is not None
    return _Gist(
        cards=game.summary_cards(state),
        label=label,
        payout=paid,
        net=net if has_bets else None,
        returned=returned if has_bets else 0,
        is_worth_telling=result is not None and net > 0 and _is_worth_telling(game, state, label, net),
    )


def _is_worth_telling(game: AnyGame, state: Any, label: Label, net: int) -> bool:
    least = Tier.GREAT if label.code in _PLAIN_WINS else Tier.GOOD
    return game.view(state, None).tier >= least or net >= 2 * sum(state.setup.stakes) > 0
