"""Names of those who sit at a table, and of automatic actions, in the language of the page."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import Final

from webapp.engine.games import WORDS
from webapp.engine.words import N_, NP_, Message, Sentence, Text
from webapp.services import names
from webapp.services.core.errors import Refusal
from webapp.services.operations.people import moderation
from webapp.services.records.finished import Finished
from webapp.services.records.stored_round import AutoMove
from webapp.web.i18n.translations import gettext, use_language
from webapp.web.i18n.vocabulary import seat_name, translated
from webapp.web.languages import LANGUAGES

_BOT: Final = N_("House bot %(number)s")
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


def seat_display_name(name: str, bot: bool, number: int) -> str:
    """Return the name that a player chose, else that of a bot or the number of the seat."""
    if name:
        return isolated(name)
    return translated(_BOT) % {"number": number + 1} if bot else seat_name(number)


def isolated(name: str) -> str:
    """Return a name; one that is written from the right cannot turn round the words and numbers beside it."""
    return f"\u2068{name}\u2069" if any(map(_is_from_the_right, name)) else name


def parse_name(text: str) -> str:
    """Return a name that may be taken.

    Raises:
        Refusal: ``bad-name``, ``mixed-name``; ``machines-name`` for what a bot is called in any of our languages;
            ``taken-name`` for what the site itself says at a table: the bank, the dealer, you, a seat, a line of the
            log;
            ``refused-name`` for what the operator refuses.
    """
    own = _own_words()
    if names.bare(text) in own.bots:
        raise Refusal("machines-name")
    if names.bare(text) in own.roles or own.sentence.fullmatch(" ".join(text.split())):
        raise Refusal("taken-name")
    moderation.require_unrefused(text)
    return names.name_from(text)


@dataclass(frozen=True, slots=True)
class _OwnWords:
    """Words of the site in all its languages: names of bots and of roles as ``bare`` has them, and sentences."""

    bots: frozenset[str]
    roles: frozenset[str]
    sentence: re.Pattern[str]


@cache
def _own_words() -> _OwnWords:
    bots, roles, sentences = set(), set(map(names.bare, _ROLES)), set()
    for language in LANGUAGES:
        with use_language(language.code):
            bots.add(names.bare(seat_display_name("", bot=True, number=0)))
            roles |= {names.bare(seat_name(0)), *(names.bare(translated(word)) for word in _PRINTED)}
            said = [text for text in map(_text, WORDS.messages.values()) if "%(who)s" in text]
            to_seat = map(_text, WORDS.messages_to_seat.values())
            sentences |= {_pattern(translated(text)) for text in (*said, *to_seat)}
    return _OwnWords(frozenset(bots), frozenset(roles), re.compile("|".join(sorted(sentences)), re.IGNORECASE))


def _text(sentence: Sentence) -> str:
    return sentence.text if isinstance(sentence, Message) else sentence


def _pattern(sentence: str) -> str:
    """Return a pattern of a sentence, with something in place of each placeholder, and a digit in that of a number."""
    words = re.split(r"%\((\w+)\)s", sentence)
    gaps = (r".*\d.*" if name in ("chips", "total") else ".+" for name in words[1::2])
    return "".join(map("".join, zip_longest(map(re.escape, words[::2]), gaps, fillvalue="")))


def _is_from_the_right(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL", "AN")


def names_of(finished: Finished) -> Mapping[int, str]:
    """Return the names at a round among several, by their places in it; none where one plays alone."""
    return {place: seat_display_name(seat.name, seat.bot, seat.number) for place, seat in enumerate(finished.seats)}


def auto_name(auto: AutoMove) -> str:
    """Return how and why a seat was played for: "automatic, timid (out of time)"."""
    if auto.reason == "forced":
        return translated(_FORCED)
    how = translated(_POLICIES[auto.policy])
    if auto.reason not in _REASONS:
        return how
    return gettext("%(how)s (%(why)s)", how=how, why=translated(_REASONS[auto.reason]))


def reaction_name(kind: str) -> str:
    """Return what a picture without words is called, for who does not see it."""
    return translated(REACTIONS[kind])


REACTIONS: Final[Mapping[str, Text]] = {
    "applause": NP_("reaction", "Applause"),
    "wow": NP_("reaction", "Amazed"),
    "laugh": NP_("reaction", "Laughing"),
    "ouch": NP_("reaction", "Ouch"),
    "thinking": NP_("reaction", "Thinking"),
    "cheers": NP_("reaction", "Cheers"),
}
"""Names of the reactions of shared tables, in the order of their buttons."""

_POLICIES: Final[Mapping[str, Text]] = {
    "bot": N_("bot"),
    "bank": N_("automatic"),
    "least": N_("automatic"),
    "timid": N_("automatic, timid"),
    "dealer": N_("automatic, like a dealer"),
    "basic": N_("automatic, basic strategy"),
}

_FORCED: Final = N_("by the rule of the bank")

# a bot needs no reason
_REASONS: Final[Mapping[str, Text]] = {
    "late": N_("out of time"),
    "away": N_("away"),
    "left": N_("has left"),
}
