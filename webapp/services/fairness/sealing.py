"""Sealed seeds: the seed of a hand or shoe, encrypted so that only this site reads it.

The player's cookie carries it. A signed cookie can be read by anybody, so the seed in it is encrypted and authenticated
as well. A sealed seed names its hand and its player, so that it is of no use for any other.
"""

import json
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, Protocol

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from flask import current_app

from webapp.engine.shuffling import SEED_BYTES, commitment
from webapp.models import DailyDeal, Hand, Shoe
from webapp.services.core.errors import Refusal

_KEY_PURPOSE: Final = b"tefuda sealed box 1"
"""Purpose for which the encryption key is derived. Sealed seeds that were given out depend on it: never change it."""


class SealedSeedError(ValueError):
    """A sealed seed that is forged, cut short, another hand's, or sealed with a key that is gone."""


class Sealer:
    """Encrypts with the first secret key and decrypts with all of them."""

    def __init__(self, secret_keys: Sequence[str]) -> None:
        self._fernet = MultiFernet([Fernet(_derived(key)) for key in secret_keys])
        self._content = lru_cache(maxsize=1024)(self._decrypted)  # every move unseals the same seed. bench: server

    def seal(self, hand: str, player: str, seed: bytes, after: str = "") -> str:
        """Return a sealed seed, about 230 characters long. ``after``: of a prepared hand, the hand that had ended."""
        content = [hand, player, b64encode(seed).decode(), *filter(None, (after,))]
        return self._fernet.encrypt(json.dumps(content, separators=(",", ":")).encode()).decode()

    def unseal(self, sealed_seed: object, hand: str, player: str) -> bytes:
        """Return the seed.

        Raises:
            SealedSeedError: It cannot be decrypted, or belongs to another hand or player.
        """
        try:
            of_hand, of_player, seed, _ = self._content(str(sealed_seed))
        except (InvalidToken, ValueError) as error:
            raise SealedSeedError("cannot be opened") from error
        if (of_hand, of_player, len(seed)) != (hand, player, SEED_BYTES):
            raise SealedSeedError("belongs to another hand")
        return seed

    def hand_before(self, sealed_seed: object) -> str:
        """Return the key of the hand that a prepared hand comes after, empty for other seeds.

        Raises:
            SealedSeedError: It cannot be decrypted.
        """
        try:
            return self._content(str(sealed_seed))[3]
        except (InvalidToken, ValueError) as error:
            raise SealedSeedError("cannot be opened") from error

    def _decrypted(self, sealed_seed: str) -> tuple[str, str, bytes, str]:
        """Return hand, player, seed, and the hand before."""
        hand, player, text, *after = json.loads(self._fernet.decrypt(sealed_seed))
        return hand, player, b64decode(text), after[0] if after else ""


def sealer() -> Sealer:
    """Return the sealer of the current app."""
    sealer_of_app: Sealer = current_app.extensions["sealer"]
    return sealer_of_app


SealedSeeds = Mapping[str, object]
"""The sealed seeds in a player's cookie, by the key of the hand or shoe."""

SeedOwner = Hand | Shoe | DailyDeal
"""The row that has the seed: a hand with packs of its own, the shoe that it is dealt from, or a daily deal."""


def seed_owner(hand: Hand) -> SeedOwner:
    """Return what has the seed of a hand: the hand itself, its shoe, its daily deal, or the same of its original."""
    if hand.original is not None:
        return seed_owner(hand.original)
    return hand.shoe or hand.daily_deal or hand


class Sealed(Protocol):
    """Anything with a key, a player and a commitment: what a sealed seed must fit."""

    @property
    def key(self) -> str: ...
    @property
    def player_id(self) -> str: ...
    @property
    def commitment(self) -> str: ...


def unseal_seed(sealed_seed: object, owner: Sealed) -> bytes:
    """Return the seed of an owner.

    Raises:
        Refusal: ``box-broken``: it cannot be opened, or does not open the owner's commitment. Nothing is lost by it.
    """
    try:
        seed = sealer().unseal(sealed_seed, owner.key, owner.player_id)
    except SealedSeedError as error:
        raise Refusal("box-broken", owner.key) from error
    if commitment(seed, owner.key) != owner.commitment:
        raise Refusal("box-broken", owner.key)
    return seed


def hand_seed(hand: Hand, sealed_seeds: SealedSeeds) -> bytes:
    """Return the seed of a hand that has a cut: revealed, or sealed in the cookie, or sealed in the row.

    Raises:
        Refusal: ``box-broken``: the sealed seed of the cookie is of no use, but that of the row is.
            ``deck-sealed``: no key opens either; ``hand-sealed``: the same of a hand that is over.
    """
    owner = seed_owner(hand)
    if owner.revealed_seed:
        return bytes.fromhex(owner.revealed_seed)
    try:
        return unseal_seed(sealed_seeds.get(owner.key, owner.sealed_seed), owner)
    except Refusal as error:
        if not is_unreadable(owner):
            raise
        raise Refusal("deck-sealed" if hand.finished_at is None else "hand-sealed", owner.key) from error


def is_unreadable(owner: SeedOwner) -> bool:
    """Return True if a sealed seed is stored that no key opens. If none is stored, no card has been seen."""
    if owner.sealed_seed is None:
        return False
    try:
        unseal_seed(owner.sealed_seed, owner)
    except Refusal:
        return True
    return False


def _derived(secret_key: str) -> bytes:
    """Return a key for Fernet."""
    hkdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=_KEY_PURPOSE)
    return urlsafe_b64encode(hkdf.derive(secret_key.encode()))
