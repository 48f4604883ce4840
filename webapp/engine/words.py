"""Words that a game brings with it: marked English sentences as data, translated only where they are shown.

``N_("Stand")`` marks a sentence for extraction and returns it unchanged, as in GNU gettext. Nothing here looks up a
translation: the engine knows no language. ``webapp.web.i18n`` does, with what ``SharedWords`` has collected.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Final, NamedTuple


class InContext(NamedTuple):
    """A sentence whose translation depends on where it is said, as in ``pgettext``."""

    context: str
    text: str


Text = str | InContext


def N_(text: str) -> str:  # noqa: N802  # the name that translators' tools know
    """Mark a sentence for translation and return it."""
    return text


def NP_(context: str, text: str) -> InContext:  # noqa: N802
    """Mark a sentence for translation in a context and return both."""
    return InContext(context, text)


class Form(Enum):
    """The way in which an argument of a label is written in its sentence."""

    PLAIN = "plain"
    """By its type: a rank or a card by its name, several cards by theirs, a number with its digits grouped."""
    PLURAL = "plural"
    """A rank as several of them: "queens"."""
    RANK = "rank"
    """A card by its rank alone: "queen"."""
    SUIT = "suit"
    """A suit, by its letter, as one card of it: "heart"."""
    SIGNED = "signed"
    """A number with its sign, as chips that are won or lost."""
    UNSIGNED = "unsigned"
    """A number without its sign: the sentence says whether it was won or lost."""


class Argument(NamedTuple):
    """The argument of a label that fills a placeholder, and the form it takes."""

    name: str
    form: Form = Form.PLAIN


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence whose placeholders differ from the arguments of its label, by name or by form.

    A placeholder that is not in ``arguments`` is filled with the label's argument of the same name. ``%(who)s`` is the
    name of whoever sits at the label's ``seat``. ``alike`` is said instead where all ``arguments`` are written alike.
    """

    text: str
    arguments: Mapping[str, Argument]
    alike: str = ""


Sentence = str | Message


@dataclass(frozen=True, kw_only=True, slots=True)
class GameWords:
    """All words of one game. Codes are shared by all games: two games that use the same code say the same with it.

    title: the name of the game. claim: what it is, in one line without a full stop. variants: the names of its tables.
    moves: verbs, as in a list of what was done. outcomes: codes of results and of lines of a pay table, as a line of a
    list. drawn: lines of a pay table as what cards make that come: "a flush". messages: sentences of labels, by code.
    messages_to_seat: the same, said to whoever sits at the label's seat. messages_to_others: the same, said to people
    who did not play, where ``messages`` speak to the player. refusals: why an action was refused, by its verb. rules:
    fields of ``Rules``, as a line of a list. choices: what may be chosen for a field, by (field, value); what is not
    here is its own name. shares: fields that are a share of a whole, and a sentence with its ``%(percent)s``. returns:
    what optimal play gets back of each chip at a table, which is shown beside the table's name.
    """

    title: Text
    claim: Text
    variants: Mapping[str, Text] = field(default_factory=dict)
    moves: Mapping[str, Text] = field(default_factory=dict)
    outcomes: Mapping[str, Text] = field(default_factory=dict)
    drawn: Mapping[str, Text] = field(default_factory=dict)
    messages: Mapping[str, Sentence] = field(default_factory=dict)
    messages_to_seat: Mapping[str, Sentence] = field(default_factory=dict)
    messages_to_others: Mapping[str, Sentence] = field(default_factory=dict)
    refusals: Mapping[str, Text] = field(default_factory=dict)
    rules: Mapping[str, Text] = field(default_factory=dict)
    choices: Mapping[tuple[str, object], Text] = field(default_factory=dict)
    shares: Mapping[str, Text] = field(default_factory=dict)
    returns: Mapping[str, Fraction] = field(default_factory=dict)


UNTITLED: Final = GameWords(title="", claim="")
"""Words of a game that nobody is shown."""


@dataclass(frozen=True, slots=True)
class SharedWords:
    """The words of several games, by code."""

    variants: dict[str, Text] = field(default_factory=dict)
    moves: dict[str, Text] = field(default_factory=dict)
    outcomes: dict[str, Text] = field(default_factory=dict)
    drawn: dict[str, Text] = field(default_factory=dict)
    messages: dict[str, Sentence] = field(default_factory=dict)
    messages_to_seat: dict[str, Sentence] = field(default_factory=dict)
    messages_to_others: dict[str, Sentence] = field(default_factory=dict)
    refusals: dict[str, Text] = field(default_factory=dict)
    rules: dict[str, Text] = field(default_factory=dict)
    choices: dict[tuple[str, object], Text] = field(default_factory=dict)
    shares: dict[str, Text] = field(default_factory=dict)
    returns: dict[str, Fraction] = field(default_factory=dict)

    def require_agreement(self, words: GameWords) -> None:
        """Raise ValueError if a game says something else with a code that is in use."""
        for kind in self.__slots__:
            known: dict[object, object] = getattr(self, kind)
            for code, text in getattr(words, kind).items():
                if known.get(code, text) != text:
                    raise ValueError(f"{kind}: {code!r} is {known[code]!r} in another game, not {text!r}")

    def add(self, words: GameWords) -> None:
        """Take up the words of a game."""
        for kind in self.__slots__:
            getattr(self, kind).update(getattr(words, kind))

    def clear(self) -> None:
        """Forget all words."""
        for kind in self.__slots__:
            getattr(self, kind).clear()
