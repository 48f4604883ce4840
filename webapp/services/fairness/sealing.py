"""The sealed box: the seed of a hand, readable by this house only, carried in the player's own cookie.

A signed cookie can be read by anyone, so the seed inside is encrypted and authenticated as well. The box names its hand
and its player, so that it opens nothing else.
"""

import json
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from typing import Protocol

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from flask import current_app

from webapp.engine.shuffling import SEED_BYTES, commitment
from webapp.models import Hand, Shoe
from webapp.services.core.errors import Refusal


class SealedSeedError(ValueError):
    """The box is forged, cut, another hand's, or sealed with a key that is gone."""


class Sealer:
    """Seals with the first key, opens with all of them."""

    def __init__(self, secret_keys: Sequence[str]) -> None:
        self._fernet = MultiFernet([Fernet(_derived(key)) for key in secret_keys])

    def seal(self, hand: str, player: str, seed: bytes) -> str:
        """A token of about 230 characters."""
        content = json.dumps([hand, player, b64encode(seed).decode()], separators=(",", ":"))
        return self._fernet.encrypt(content.encode()).decode()

    def unseal(self, token: object, hand: str, player: str) -> bytes:
        """The seed. Raises BoxBroken."""
        try:
            of_hand, of_player, text = json.loads(self._fernet.decrypt(str(token)))
            seed = b64decode(text)
        except (InvalidToken, ValueError) as error:
            raise SealedSeedError("cannot be opened") from error
        if (of_hand, of_player, len(seed)) != (hand, player, SEED_BYTES):
            raise SealedSeedError("belongs to another hand")
        return seed


def sealer() -> Sealer:
    """The one of this app."""
    sealer = current_app.extensions["sealer"]
    assert isinstance(sealer, Sealer)
    return sealer


SealedSeeds = Mapping[str, object]
"""The sealed boxes in the player's cookie, by the key of the hand or shoe."""

SeedOwner = Hand | Shoe
"""What has a seed: a hand with packs of its own, or the shoe it is dealt from."""


def seed_owner(hand: Hand) -> SeedOwner:
    return hand.shoe or hand


class Sealed(Protocol):
    """What a box belongs to."""

    @property
    def key(self) -> str: ...
    @property
    def player_id(self) -> str: ...
    @property
    def commitment(self) -> str: ...


def unseal_seed(token: object, deck: Sealed) -> bytes:
    """The seed in a box, which must open the deck's commitment. Refusal ``box-broken``, which costs nothing."""
    try:
        seed = sealer().unseal(token, deck.key, deck.player_id)
    except SealedSeedError as error:
        raise Refusal("box-broken", deck.key) from error
    if commitment(seed, deck.key) != deck.commitment:
        raise Refusal("box-broken", deck.key)
    return seed


def hand_seed(hand: Hand, boxes: SealedSeeds) -> bytes:
    """The seed of a hand that has a cut: revealed, or in a box of the cookie, or in the spare one.

    Refusal ``box-broken`` if the spare one is the better; if no key opens it either ``deck-sealed``, or ``hand-sealed``
    once the hand is over.
    """
    deck = seed_owner(hand)
    try:
        return (
            bytes.fromhex(deck.revealed_seed)
            if deck.revealed_seed
            else unseal_seed(boxes.get(deck.key, deck.sealed_seed), deck)
        )
    except Refusal as error:
        if not is_unreadable(deck):
            raise
        raise Refusal("deck-sealed" if hand.finished_at is None else "hand-sealed", deck.key) from error


def is_unreadable(deck: SeedOwner) -> bool:
    """Whether no key of this house opens the box in its books. Where there is none there, nobody has seen a card."""
    if deck.sealed_seed is None:
        return False
    try:
        unseal_seed(deck.sealed_seed, deck)
    except Refusal:
        return True
    return False


def _derived(secret_key: str) -> bytes:
    hkdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"tefuda sealed box 1")
    return urlsafe_b64encode(hkdf.derive(secret_key.encode()))
