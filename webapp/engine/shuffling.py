"""The provable shuffle ``tf1``: (seed, cuts) -> order of the cards, byte for byte.

The page /fair states it in words and as a short listing of its own; test vectors hold all of them together. What is
dealt from which pack is a rule of the game: where several hands are drawn from one hold, each has a pack of its own.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, overload

from webapp.engine.cards import JOKER, Card, parse_cards
from webapp.engine.errors import SetupError
from webapp.engine.game import Pack

SCHEME: Final = "tf1"
SEED_BYTES: Final = 32
SILENT: Final = "-"  # the cut of a seat that gave none

_WORD: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_ORDER_OF_A_DECK: Final = parse_cards("".join(rank + suit for suit in "cdhs" for rank in "A23456789TJQK"))


def is_word(text: str) -> bool:
    """Return whether a text may be an id or a cut: 1 to 64 letters, digits, ``_`` and ``-``."""
    return _WORD.fullmatch(text) is not None


def commitment(seed: bytes, id: str) -> str:
    """Return the hex SHA-256 that is shown before any cut is known. ``id`` is the key of the hand, shoe or round."""
    _require(seed, id, (SILENT,))
    return hashlib.sha256(b"tf1:commit:" + id.encode() + b":" + seed).hexdigest()


# Every action replays its hand from the start, and a shoe has 312 cards. bench: server
@lru_cache(maxsize=1024)
def shuffled(seed: bytes, id: str, pack: int, decks: int, jokers: int, cuts: tuple[str, ...]) -> tuple[Card, ...]:
    """Return the cards of one pack in dealing order.

    Args:
        seed: 32 bytes
        id: key of the hand, shoe or round
        pack: number of the pack, from 0
        decks: 1 to 8
        jokers: 0 to 2
        cuts: one word per seat in seat order, ``"-"`` for a silent one

    Raises:
        SetupError: an argument is outside of that.
    """
    _require(seed, id, cuts)
    if not (pack >= 0 and 1 <= decks <= 8 and 0 <= jokers <= 2):
        raise SetupError(f"no such pack: number {pack}, {decks} decks, {jokers} jokers")
    message = "|".join((SCHEME, id, str(pack), str(decks), str(jokers), *cuts)).encode()
    cards = list(_ORDER_OF_A_DECK * decks + (JOKER,) * jokers)
    words = _words(seed, message)
    for i in range(len(cards) - 1, 0, -1):
        j = below(i + 1, words)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def below(m: int, words: Iterator[int]) -> int:
    """Return a number from 0 to m-1, all equally likely: words from the uneven end of the range are thrown away."""
    limit = 65536 - 65536 % m
    for word in words:
        if word < limit:
            return word % m
    raise SetupError("the words ran out")


def _words(seed: bytes, message: bytes) -> Iterator[int]:
    keyed = hmac.new(seed, message + b"|", hashlib.sha256)
    block = 0
    while True:
        stream = keyed.copy()
        stream.update(str(block).encode())
        digest = stream.digest()
        for i in range(0, 32, 2):
            yield digest[i] << 8 | digest[i + 1]
        block += 1


def _require(seed: bytes, id: str, cuts: tuple[str, ...]) -> None:
    if len(seed) != SEED_BYTES:
        raise SetupError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    if not cuts:
        raise SetupError("no seat cuts; a silent one says so with -")
    for word in (id, *cuts):
        if not is_word(word):
            raise SetupError(f"not a word of 1 to 64 letters, digits, _ and -: {word[:80]!r}")


@dataclass(frozen=True)
class ShuffledPacks(Sequence[tuple[Card, ...]]):
    """The rows of a setup, each shuffled when it is first needed: most double-up packs never are.

    ``offset``: cards of pack 0 that went with the hands before.
    """

    seed: bytes = field(repr=False)
    id: str
    cuts: tuple[str, ...]
    packs: tuple[Pack, ...]
    offset: int = 0
    _rows: dict[int, tuple[Card, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.packs)

    @overload
    def __getitem__(self, index: int) -> tuple[Card, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[tuple[Card, ...], ...]: ...
    def __getitem__(self, index: int | slice) -> tuple[Card, ...] | tuple[tuple[Card, ...], ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        number = range(len(self))[index]
        if number not in self._rows:
            pack = self.packs[number]
            row = shuffled(self.seed, self.id, number, pack.decks, pack.jokers, self.cuts)
            self._rows[number] = row[self.offset :] if number == 0 else row
        return self._rows[number]
