"""Names that players may not take.

A name is compared with what bots and parts of the game are called in all languages, and with words of the operator.
No pattern reads a name: sentences of a table are told from names by their place on the page. How names look is in
``services.names``; names that were reported, in ``services.operations.people.moderation``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Self

import structlog
from flask import Flask, current_app

from webapp.engine.words import N_
from webapp.services import names
from webapp.services.core.errors import Refusal
from webapp.web.i18n.display_names import seat_display_name
from webapp.web.i18n.translations import use_language
from webapp.web.i18n.vocabulary import seat_name, translated
from webapp.web.languages import LANGUAGES

log = structlog.get_logger()

REFUSED_WORDS: Final = "refused-words.txt"
"""File of the operator in the instance folder: one word a line, ``#`` begins a remark."""
_PRINTED: Final = (N_("Bank"), N_("Dealer"), N_("You"))
"""Text that is printed in place of a name."""
_ROLES: Final = (
    *(
        "Bank",
        "The bank",
        "Banker",
        "Dealer",
        "House",
        "You",
        "Me",
        "Seat",
        "Table",
        "Tefuda",
        "System",
        "Admin",
    ),
    *("銀行", "親", "胴元", "バンカー", "ディーラー", "ハウス", "あなた", "席", "ボット", "システム", "管理者"),
    *("庄家", "庄", "荷官", "你", "您", "座位", "机器人", "系统", "管理员"),
    *("莊家", "莊", "機器人", "系統", "管理員"),
)
"""Names that would be taken for the site or for a part in the game, by any word that a page has for it."""


def parse_name(text: str) -> str:
    """Return a name as it is shown, if a player may take it.

    Raises:
        Refusal: ``bad-name``, ``mixed-name``; ``machines-name`` for what a bot is called in any of our languages;
            ``taken-name`` for what the site calls itself or a part in the game: the bank, the dealer, you, a seat;
            ``refused-name`` for what the operator refuses.
    """
    own, name = _own_words(), names.tidied(text)
    read_as = {names.bare(name), names.bare(names.with_digits_as_letters(name))}
    if not own.bots.isdisjoint(read_as):
        raise Refusal("machines-name")
    if not own.roles.isdisjoint(read_as):
        raise Refusal("taken-name")
    _require_unrefused(name)
    return names.name_from(text)


def _require_unrefused(name: str) -> None:
    """Refuse a name in which one of the operator's words stands, however it is spelled."""
    if any(word.stands_in(name) for word in _refused_words()):
        raise Refusal("refused-name")


def _refused_words() -> tuple["RefusedWord", ...]:
    refused: RefusedWords = current_app.extensions["refused_words"]
    return refused.words()


@dataclass(frozen=True, slots=True)
class RefusedWord:
    """A word of the operator, as ``simplify`` has it, which is applied to names before the word is looked for."""

    text: str
    simplify: Callable[[str], str]

    @classmethod
    def of(cls, line: str) -> Self:
        """Return the word of a line. Digits at its end are kept, and a word of symbols alone is not simplified."""
        text = names.without_accents(line)
        if not text:
            return cls(names.as_it_is(line), names.as_it_is)
        return cls(text, names.bare if text == names.bare(line) else names.without_accents)

    def stands_in(self, name: str) -> bool:
        """Return True if the word is part of a name, also if digits are written for its letters."""
        return any(self.text in self.simplify(each) for each in (name, names.with_digits_as_letters(name)))


class RefusedWords:
    """The words of a file, which is read again when it has changed. While it cannot be read, those of before hold."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read_at: int | None = None
        self._words: tuple[RefusedWord, ...] = ()

    def words(self) -> tuple[RefusedWord, ...]:
        """Return the words; none without a file."""
        try:
            changed = self._path.stat().st_mtime_ns
            if changed != self._read_at:
                self._words = words_in(self._path.read_bytes())
                self._read_at = changed
        except FileNotFoundError:
            self._words, self._read_at = (), None
        except OSError as error:
            log.warning("refused words not read", error=type(error).__name__)
        return self._words


def words_in(text: bytes) -> tuple[RefusedWord, ...]:
    """Return the words of a file: one a line, in UTF-8, where ``#`` begins a remark."""
    lines = (line.partition("#")[0].strip() for line in text.decode("utf-8-sig", "replace").splitlines())
    return tuple(RefusedWord.of(line) for line in lines if line)


@dataclass(frozen=True, slots=True)
class _OwnWords:
    """Names of bots and of roles in all languages of the site, as ``bare`` has them."""

    bots: frozenset[str]
    roles: frozenset[str]


@cache
def _own_words() -> _OwnWords:
    bots, roles = set(), set(map(names.bare, _ROLES))
    for language in LANGUAGES:
        with use_language(language.code):
            bots.add(names.bare(seat_display_name("", bot=True, number=0)))
            roles |= {names.bare(seat_name(0)), *(names.bare(translated(word)) for word in _PRINTED)}
    return _OwnWords(frozenset(bots), frozenset(roles))


def init_app(app: Flask, instance: Path) -> None:
    """Give an app the words of its operator."""
    app.extensions["refused_words"] = RefusedWords(instance / REFUSED_WORDS)
