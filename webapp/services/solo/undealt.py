"""Hands that a cut was given for, and that cannot be dealt as the page showed them.

Whoever has given a cut gets the hand dealt, or sees it void: with its number, commitment and cut, and the seed
revealed. Otherwise the house could look at the deck that a cut makes, and put the hand away in silence.

The cookie holds the sealed seed of the hand that is prepared. Should the row of that hand be lost, it is stored again
from there, but only while nothing was numbered since: the seed names the hand that it was prepared after, and that must
still be the last one, played out, with no other hand open. So a hand that was dealt, replaced or pruned is never dealt
again, from however old a cookie.
"""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import bindparam, select

from webapp.engine.errors import SetupError, StakesError
from webapp.engine.games import SOLO
from webapp.engine.shuffling import SEED_BYTES, SILENT, commitment
from webapp.extensions import db
from webapp.models import Hand, Purse, Shoe
from webapp.services import players, purses
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import SealedSeedError, SealedSeeds, sealer, seed_owner
from webapp.services.players import PlayerSession
from webapp.services.records.hand_state import hand_state
from webapp.services.records.stored_hand import hand_game, join_numbers
from webapp.services.solo.expiry import void_hand
from webapp.services.solo.prepared import UNNUMBERED, Deck, add_hand, is_prepared
from webapp.services.solo.reading import open_hand, owned_hand
from webapp.services.solo.rows import Owner

_BEFORE: Final = select(Hand).where(
    Hand.key == bindparam("before"),
    Hand.player_id == bindparam("player"),
    Hand.game == bindparam("game"),
    Hand.status == "done",
    Purse.player_id == Hand.player_id,
    Purse.game == Hand.game,
    Purse.hands == Hand.seq,
)
"""The hand before, if it was played out and is still the player's last one of the game."""


def hand_to_deal(owner: Owner, code: str, key: str, sealed_seeds: SealedSeeds, now: int) -> Hand:
    """Return the locked row of the hand that a cut was given for, stored again from the cookie if it was lost.

    Raises:
        Refusal: ``hand-not-found``; also if the hand was replaced, or something was numbered since it was prepared.
    """
    try:
        return owned_hand(owner, code, key, lock=True)
    except Refusal:
        if code not in SOLO or key not in sealed_seeds:
            raise
    player = _signed_in(owner)
    seed, before = _opened(sealed_seeds[key], key, player)
    players.lock(player)
    if db.session.get(Hand, key) is None:  # no copy of this request was faster
        found = db.session.scalars(_BEFORE, {"before": before, "player": player, "game": code}).one_or_none()
        if found is None or open_hand(player, code) is not None:
            raise Refusal("hand-not-found")
        deck = Deck(key, commitment(seed, key), None, str(sealed_seeds[key]))
        add_hand(player, SOLO[code], found.variant, deck, UNNUMBERED, now)
    return owned_hand(player, code, key, lock=True)


def first_state(hand: Hand, seed: bytes) -> Any:
    """Return the state of a hand that has just got its cut and stakes.

    Raises:
        Refusal: The rules allow no such stakes.
    """
    try:
        return hand_state(hand, seed)
    except StakesError as error:
        raise Refusal(error.code, str(error)) from error
    except SetupError as error:  # no player can bring that about: a shoe that is short of cards, say
        raise RuntimeError(f"hand {hand.key} cannot be dealt") from error


def require_stakes(hand: Hand, stakes: Sequence[int]) -> None:
    """Raise ``bad-stake`` for stakes that cannot lie on the table, before they are stored: they may be too long.

    The rules of the game may refuse others when the hand is dealt.
    """
    bets = hand_game(hand).rules(hand.variant).bets
    if not (bets.allow(tuple(stakes)) if bets else not stakes):
        raise Refusal(StakesError.code, hand.key)


def may_be_cut(hand: Hand, sealed_seeds: SealedSeeds) -> bool:
    """Return True for a hand that was void before it had a cut, and whose seed may be revealed.

    A shoe that is still open may not: its next cards are those that this hand would have had.
    """
    owner = seed_owner(hand)
    has_seed = bool(owner.revealed_seed or owner.sealed_seed or owner.key in sealed_seeds)
    is_closed = owner is hand or (isinstance(owner, Shoe) and owner.closed_at is not None)
    return hand.status == "void" and hand.cut is None and has_seed and is_closed


def leave_void(hand: Hand, cut: str | None, stakes: Sequence[int], sealed_seeds: SealedSeeds, now: int) -> None:
    """Leave a hand that cannot be dealt as a void one that all can see, with what it was asked for with.

    If no key opens its seed, that stays sealed until the key is back.

    Raises:
        Refusal: The rules allow no such stakes.
    """
    require_stakes(hand, stakes)
    owner = hand.shoe or hand
    if is_prepared(hand):
        hand.seq = purses.begin_hand(hand.player_id, hand.game, None, now)
    if owner.sealed_seed is None and not owner.revealed_seed:
        owner.sealed_seed = str(sealed_seeds[owner.key])
    hand.cut = owner.cut = owner.cut or cut or SILENT
    hand.stakes = join_numbers(stakes)
    first_state(hand, bytes(SEED_BYTES))  # whatever the seed is, its page must be able to show the deal
    void_hand(hand, now)


def _signed_in(owner: Owner) -> str:
    """Return the player of a session that has not ended."""
    if isinstance(owner, PlayerSession):
        owner = owner.player if players.session_number(owner.player) == owner.number else None
    if owner is None:
        raise Refusal("hand-not-found")
    return owner


def _opened(sealed_seed: object, key: str, player: str) -> tuple[bytes, str]:
    """Return the seed of a prepared hand, and the hand before it."""
    try:
        return sealer().unseal(sealed_seed, key, player), sealer().hand_before(sealed_seed)
    except SealedSeedError as error:
        raise Refusal("hand-not-found") from error
