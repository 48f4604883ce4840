"""Search for secrets in responses: cards that have not been shown yet, and the seed in any encoding."""

import base64
import re
from collections.abc import Iterator, Sequence

from tests.support.player import Json
from webapp.engine.action import Action

_IN_JSON = re.compile(r'"([2-9TJQKA][cdhs])"')
_IN_A_PAGE = re.compile(r"#c-([2-9TJQKA][cdhs])")
_NAMES = dict(
    zip("two three four five six seven eight nine ten jack queen king ace".split(), "23456789TJQKA", strict=True)
)
_IN_WORDS = re.compile(rf"\b({'|'.join(_NAMES)}) of ([cdhs])(?:lubs|iamonds|earts|pades)\b", re.IGNORECASE)


_DRAWN = re.compile(
    r'\{\\?"args\\?": ?\{[^{}]*\}, ?\\?"code\\?": ?\\?"SEAT_DRAWS_FOR_BANK[^{}]*\}|For the bank [^<"]{1,90}? draws the \w+ of \w+'
)
"""What is said of the draw for the bank, whose cards are of another pack."""


def cards_in(text: str) -> set[str]:
    """Return all cards that a page, fragment or JSON document contains, but those that were drawn for the bank."""
    text = _DRAWN.sub("", text)
    spelled = {_NAMES[rank.lower()] + suit.lower() for rank, suit in _IN_WORDS.findall(text)}
    return {*_IN_JSON.findall(text), *_IN_A_PAGE.findall(text), *spelled}


def shown_until(hand: Json, step: int) -> set[str]:
    """Return the cards of a finished hand that its player had seen after ``step`` moves."""
    first, *rounds = hand["cards"]
    seen = set(first[:5])
    number = 0
    for move in map(Action.parse, hand["moves"][:step]):
        if move.verb == "hold":
            seen |= set(first[: 10 - len(move.args)])
        elif move.verb == "double":
            number += 1
            seen |= set(rounds[number - 1][:1])
        elif move.verb == "pick":
            row = rounds[number - 1]
            seen |= set(row)
            if row[0][0] == row[move.args[0]][0] and number < len(rounds):
                number += 1
                seen |= set(rounds[number - 1][:1])
    return seen


def spellings(seed: bytes) -> Iterator[bytes]:
    """Yield encodings of a seed: raw, hex, and base64 variants at each alignment."""
    yield seed
    yield seed.hex().encode()
    yield seed.hex().upper().encode()
    for before in range(3):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            # These characters depend only on the seed, not on the bytes before and after it.
            yield encode(b"\0" * before + seed)[4 if before else 0 : -4]
    yield base64.b32encode(seed).rstrip(b"=")[:-1]
    yield base64.b85encode(seed)


def tells_the_seed(texts: Sequence[str | bytes], seed: bytes) -> bool:
    data = [text.encode() if isinstance(text, str) else text for text in texts]
    return any(spelling in text for text in data for spelling in spellings(seed))
