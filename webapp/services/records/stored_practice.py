"""Values of the engine, and a finished hand, from the row of a practice hand."""

from typing import Any, Final

from webapp.engine.game import AnyGame, Setup
from webapp.engine.games import GAMES
from webapp.extensions import db
from webapp.models import AGAIN, DAILY, DailyDeal, Hand, Player, PracticeHand
from webapp.services.core.clock import to_datetime
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import seed_owner, unseal_seed
from webapp.services.records.finished import Finished, Proof
from webapp.services.records.replays import Replay, replayed
from webapp.services.records.stored_hand import make_setup, parse_moves, parse_numbers

PREFIX: Final = "P-"
"""Begins the key of every practice hand: no other key has a hyphen."""

Source = Hand | DailyDeal
"""The row that has the seed of a practice hand."""


def is_practice_key(key: str) -> bool:
    """Return whether a key is that of a practice hand."""
    return key.startswith(PREFIX)


def practice_game(row: PracticeHand) -> AnyGame:
    """Return the game that a practice hand is of."""
    return GAMES[row.game]


def source_of(row: PracticeHand) -> Source:
    """Return what has the cards of a practice hand."""
    if row.of_key:
        return db.session.get_one(Hand, row.of_key)
    return db.session.get_one(DailyDeal, row.daily_key)


def seed_of(source: Source) -> bytes:
    """Return the seed of a finished hand or of a daily deal.

    Raises:
        Refusal: ``practice-sealed``: the hand's shoe is in use, or no key opens it.
            ``deck-sealed``: no key opens the daily deal.
    """
    owner = source if isinstance(source, DailyDeal) else seed_owner(source)
    if owner.revealed_seed:
        return bytes.fromhex(owner.revealed_seed)
    if isinstance(source, Hand):
        raise Refusal("practice-sealed", source.key)
    try:
        return unseal_seed(source.sealed_seed, source)
    except Refusal as error:
        raise Refusal("deck-sealed", source.key) from error


def practice_setup(row: PracticeHand, source: Source) -> Setup:
    """Return the setup of a practice hand. Refusal as of ``seed_of``."""
    owner = source.key if isinstance(source, DailyDeal) else source.shoe_key or source.key
    stakes = parse_numbers(row.stakes)
    return make_setup(practice_game(row), row.variant, stakes, seed_of(source), owner, row.cut, row.offset)


def practice_replay(row: PracticeHand) -> Replay:
    """Return the replay of a practice hand. Refusal as of ``seed_of``."""
    return replayed(practice_game(row), practice_setup(row, source_of(row)), parse_moves(row.moves))


def net_of(game: AnyGame, variant: str, state: Any) -> int:
    """Return what a hand that was played out has won or lost; the score where nothing is staked."""
    result = game.result(state)
    paid = sum(result.payouts) if result else 0
    return paid if game.rules(variant).bets is None else paid - sum(game.committed(state))


def is_open_to(row: PracticeHand, viewer: str | None) -> bool:
    """Return True if a viewer may see the page of a practice hand.

    The hand must be over, and must not show the cards of a daily deal that others can still play: one whose seed has
    not been revealed.
    """
    if row.status != "done":
        return False
    if row.kind != DAILY or viewer == row.player_id:
        return True
    return db.session.get_one(DailyDeal, row.daily_key).revealed_seed is not None


def day_of_row(row: PracticeHand) -> str | None:
    """Return the day of a daily deal's round."""
    return row.daily_key[:10] if row.daily_key else None


def finished_practice(key: str, viewer: str | None) -> Finished:
    """Return the practice hand of a link. Refusal ``hand-not-found``."""
    row = db.session.get(PracticeHand, key)
    if row is None or not is_open_to(row, viewer):
        raise Refusal("hand-not-found")
    return finished_of_practice(row)


def finished_of_practice(row: PracticeHand) -> Finished:
    """Return the value of a practice hand that is over."""
    if row.finished_at is None:
        raise ValueError(f"practice hand {row.key} is not over")
    source, replay = source_of(row), practice_replay(row)
    player = db.session.get_one(Player, row.player_id)
    return Finished(
        key=row.key,
        table=row.variant,
        seq=None,
        status=row.status,
        player=player.name,
        replay=replay,
        record=replay.record,
        payouts=replay.record.payouts or (0,) * replay.game.spec.seats,
        commitment=source.commitment,
        proof=_proof(row, source, replay),
        finished_at=to_datetime(row.finished_at),
        practice=row.kind != DAILY,
        knows_cards=row.kind == AGAIN,
        of=row.of_key,
        daily=day_of_row(row),
        number=row.number if row.daily_key else None,
    )


def _proof(row: PracticeHand, source: Source, replay: Replay) -> Proof | None:
    owner = source if isinstance(source, DailyDeal) else seed_owner(source)
    if owner.revealed_seed is None:
        return None
    packs = replay.game.packs(row.variant)[: len(replay.record.setup.cards)]
    return Proof(owner.key, owner.commitment, owner.revealed_seed, (row.cut,), packs, row.offset)
