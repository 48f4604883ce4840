"""Finished hands and rounds, looked up by the key in their link."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import select

from webapp.engine.shuffling import is_word
from webapp.extensions import db
from webapp.models import AGAIN, DAILY, PLAY, DailyDeal, Hand, Player, Shoe, TableRound
from webapp.services.core.clock import to_datetime
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import hand_seed, seed_owner
from webapp.services.records.finished import Finished, FinishedSeat, Proof
from webapp.services.records.replays import Replay, replayed
from webapp.services.records.stored_hand import hand_game, hand_moves, hand_setup, unpaid_of
from webapp.services.records.stored_round import (
    round_auto_moves,
    round_cuts,
    round_draw,
    round_nets,
    round_replay,
    round_seed,
)

PRACTICE_PREFIX: Final = "P-"
"""Begins the key of every hand that is not of the kind PLAY: no other key has a hyphen."""


def is_practice_key(key: str) -> bool:
    """Return whether a key is that of a practice hand, or of a round of a daily deal."""
    return key.startswith(PRACTICE_PREFIX)


def finished_hand(key: str, viewer: str | None = None) -> Finished:
    """Return the hand or round of a link.

    Args:
        viewer: The player who looks, if any: a round of today's daily deal is shown only to its own player.

    Raises:
        Refusal: ``hand-not-found``: the key is unknown, or the hand is not over.
            ``hand-sealed``: no secret key opens it.
    """
    query = select(Hand, Player.name).join(Player, Player.id == Hand.player_id).where(Hand.key == key)
    row = db.session.execute(query).one_or_none() if is_word(key) else None
    if row is None:
        return _finished_round(key)
    hand, player_name = row
    if not is_open_to(hand, viewer):
        raise Refusal("hand-not-found")
    return finished_of(hand, player_name)


def is_open_to(hand: Hand, viewer: str | None) -> bool:
    """Return True if a viewer may see the page of a hand.

    It must be over, and must not show the cards of a daily deal that others can still play.
    """
    if hand.kind == PLAY:
        return hand.finished_at is not None and hand.cut is not None
    may_see = hand.kind != DAILY or viewer == hand.player_id or is_revealed(hand)
    return hand.status == "done" and may_see


def is_revealed(hand: Hand) -> bool:
    """Return False while the shoe of a hand is in use, or its daily deal can be played: more cards would be seen."""
    owner = seed_owner(hand)
    if isinstance(owner, DailyDeal):
        return owner.revealed_seed is not None
    return not isinstance(owner, Shoe) or owner.closed_at is not None


def _finished_round(key: str) -> Finished:
    round = db.session.get(TableRound, key) if is_word(key) else None
    if round is None or round.finished_at is None or not round.dealt:
        raise Refusal("hand-not-found")
    return finished_round_of(round)


def finished_of(hand: Hand, player_name: str) -> Finished:
    """Return the value of a public row.

    Raises:
        EngineError: The row does not replay.
        ValueError: The hand is not public.
    """
    if hand.cut is None or hand.finished_at is None:
        raise ValueError(f"hand {hand.key} is not public")
    seed = hand_seed(hand, {})
    replay = replayed(hand_game(hand), hand_setup(hand, seed), hand_moves(hand))
    record = replay.record.as_void() if hand.status == "void" else replay.record
    return Finished(
        key=hand.key,
        table=hand.variant,
        seq=hand.seq,
        status=hand.status,
        player=player_name,
        replay=replay,
        record=record,
        payouts=record.payouts or (0,) * replay.game.spec.seats,
        commitment=hand.commitment,
        proof=_proof(hand, replay, seed),
        finished_at=to_datetime(hand.finished_at),
        helped=hand.helped,
        practice=hand.kind not in (PLAY, DAILY),
        knows_cards=hand.kind == AGAIN,
        of=hand.of_key,
        daily=hand.daily_deal.day if hand.daily_deal else None,
        number=hand.number,
        unpaid=unpaid_of(hand, replay.last),
    )


def _proof(hand: Hand, replay: Replay, seed: bytes) -> Proof | None:
    """Return None until the seed is revealed. A hand that was ended unopened is proved if the key is back."""
    if hand.cut is None or not is_revealed(hand):
        return None
    owner = seed_owner(hand)
    packs = replay.game.packs(hand.variant)[: len(replay.record.setup.cards)]
    return Proof(owner.key, owner.commitment, seed.hex(), (hand.cut,), packs, hand.offset)


def finished_round_of(round: TableRound) -> Finished:
    """Return the value of a public row.

    Raises:
        EngineError: The row does not replay.
        ValueError: The round is not public.
        Refusal: ``hand-sealed``: no key opens it.
    """
    if round.finished_at is None:
        raise ValueError(f"round {round.key} is not public")
    replay = round_replay(round)
    record = replay.record.as_void() if round.status == "void" else replay.record
    seats = _seats(round, replay)
    packs = replay.game.packs(round.variant)[: len(record.setup.cards)]
    return Finished(
        key=round.key,
        table=round.variant,
        seq=round.seq,
        status=round.status,
        player=", ".join(seat.name for seat in seats if seat.name),
        replay=replay,
        record=record,
        payouts=record.payouts or (),
        commitment=round.commitment,
        proof=Proof(round.key, round.commitment, round_seed(round).hex(), round_cuts(round), packs),
        finished_at=to_datetime(round.finished_at),
        seats=seats,
        autos=round_auto_moves(round),
        draw=round_draw(round),
    )


def _seats(round: TableRound, replay: Replay) -> tuple[FinishedSeat, ...]:
    names, nets = _names({bet.player_id for bet in round.bets}), round_nets(round)
    moves = tuple(zip(replay.moves, round_auto_moves(round), strict=True))
    return tuple(
        FinishedSeat(
            number=bet.number,
            name=names.get(bet.player_id, "") if bet.name is None else bet.name,
            bot=bet.bot,
            banker=bet.number == round.banker,
            stake=bet.stake,
            auto_bet=bet.auto,
            moves=tuple(pair for pair in moves if pair[0].seat == place),
            payout=bet.payout or 0,
            net=nets[bet.number],
        )
        for place, bet in enumerate(round.bets)
    )


def _names(players: set[str]) -> Mapping[str, str]:
    rows = db.session.execute(select(Player.id, Player.name).where(Player.id.in_(players)))
    return {row.id: row.name for row in rows}
