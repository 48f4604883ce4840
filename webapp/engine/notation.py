"""A hand in one line of text.

``poker/quest - 4h7s8sKhTh6s,6d9c2c4sJh hold-1-3,double,pick-4,collect 100``: game and table, stakes, the dealt cards of
each pack, the actions, the payouts. ``-`` is an empty field. The payouts are ``*`` if the hand was not played out, and
``void`` if it was, but is void and was not paid.
Reading is strict: ``dumps(loads(line)) == line``, and the line must be true, which is proved by replaying it.

A line does not name the seat that banks. Where one of the players does, it is the seat whose stake is twice all the
others together: ``banker_of_line`` is the only place that reads it so.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from webapp.engine.action import Action, Seat
from webapp.engine.cards import Card, parse_cards
from webapp.engine.errors import EngineError, NotationError
from webapp.engine.game import AnyGame, Pack, Setup, replay
from webapp.engine.games import GAMES

FIELDS: Final = 5
"""Fields of a line, with a space between them."""
NOTHING = "-"
NOT_PLAYED_OUT = "*"
VOID = "void"


class UntrueRecord(NotationError):
    """A line that can be parsed, but describes a hand that is impossible."""


@dataclass(frozen=True, slots=True)
class Record:
    """A hand in the notation, with the cards that were dealt.

    ``payouts`` is None if the hand was not played out or is void.
    """

    game: str
    setup: Setup
    moves: tuple[Action, ...]
    payouts: tuple[int, ...] | None
    void: bool = False
    """The hand was played to its end, but not paid."""

    def as_void(self) -> "Record":
        """Return the record of the same hand as void. The record of a hand that was not played out stays as it is."""
        return self if self.payouts is None else replace(self, payouts=None, void=True)


def record(game: AnyGame, setup: Setup, moves: tuple[Action, ...]) -> Record:
    """Play a hand through and return its record. SetupError, IllegalAction."""
    state = replay(game, setup, moves)
    dealt = tuple(tuple(setup.cards[pack][:count]) for pack, count in enumerate(game.dealt(state)))
    result = game.result(state)
    return Record(game.spec.code, replace(setup, cards=dealt), moves, result.payouts if result else None)


def dumps(record: Record) -> str:
    """Return a record as one line, without a line end."""
    fields = (
        f"{record.game}/{record.setup.variant}",
        _list(record.setup.stakes),
        ",".join("".join(map(str, row)) for row in record.setup.cards),
        _list(record.moves),
        VOID if record.void else NOT_PLAYED_OUT if record.payouts is None else _list(record.payouts),
    )
    return " ".join(fields)


def loads(line: str) -> Record:
    """Parse a line and replay it.

    Raises:
        NotationError: It is no line of this notation; UntrueRecord is among these errors.
    """
    try:
        place, stakes, cards, moves, payouts = line.split(" ")
        code, variant = place.split("/")
    except ValueError:
        raise NotationError(f"not a hand in one line: {line[:200]!r}") from None
    if code not in GAMES:
        raise NotationError(f"no such game: {code[:80]!r}")
    game = GAMES[code]
    try:
        chips, rows = _numbers(stakes), tuple(parse_cards(row) for row in cards.split(","))
        setup = Setup(variant, chips, rows, banker_of_line(chips) if game.spec.banked else None)
        _require_packs(setup.cards, game.packs(variant))
        replayed = record(game, setup, tuple(Action.parse(move) for move in _split(moves)))
    except NotationError:
        raise
    except EngineError as error:
        raise UntrueRecord(f"this cannot have happened: {error}") from error
    if payouts == VOID:
        replayed = replayed.as_void()
    if dumps(replayed) != line:
        raise UntrueRecord(f"the cards and actions say otherwise: {dumps(replayed)!r}, not {line[:400]!r}")
    return replayed


def banker_of_line(stakes: tuple[int, ...]) -> Seat | None:
    """Return the seat whose stake is twice all the others together; None if there is no such seat."""
    bankers = [seat for seat, stake in enumerate(stakes) if stake > 0 and stake == 2 * (sum(stakes) - stake)]
    return Seat(bankers[0]) if len(bankers) == 1 else None


def _list(values: tuple[object, ...]) -> str:
    return ",".join(map(str, values)) or NOTHING


def _split(text: str) -> list[str]:
    return [] if text == NOTHING else text.split(",")


def _numbers(text: str) -> tuple[int, ...]:
    for word in _split(text):
        if not (word.isascii() and word.isdigit() and len(word) <= 18):
            raise NotationError(f"not a number of chips: {word[:80]!r}")
    return tuple(int(word) for word in _split(text))


def _require_packs(rows: Sequence[tuple[Card, ...]], packs: tuple[Pack, ...]) -> None:
    """Raise UntrueRecord if a card is there more often than its pack holds it."""
    if len(rows) > len(packs):
        raise UntrueRecord(f"{len(rows)} packs of cards, at most {len(packs)} can be dealt")
    for row, pack in zip(rows, packs, strict=False):
        for card, count in Counter(row).items():
            if count > (pack.jokers if card.is_joker else pack.decks):
                raise UntrueRecord(f"too many of one card: {card}")
