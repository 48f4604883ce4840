"""Sentences of labels, in the language of the page."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from webapp.engine.cards import Card, Rank
from webapp.engine.games import WORDS
from webapp.engine.label import Label, Value
from webapp.engine.words import N_, Argument, Form, Message, Sentence
from webapp.web.i18n.translations import translations
from webapp.web.i18n.vocabulary import (
    capitalised,
    card_name,
    cards_name,
    number,
    rank_name,
    ranks_name,
    seat_name,
    signed,
    suit_name,
    translated,
)


def say(label: Label) -> str:
    """Return the sentence of a label."""
    return _sentence(label, translations())


@lru_cache(maxsize=1024)
def _sentence(label: Label, _language: object) -> str:
    """Remember a sentence: a page says the same one on the felt, aloud, and in its links."""
    return _filled_in(_STATUSES.get(label.code) or WORDS.messages[label.code], label)


def line_or_sentence(label: Label) -> str:
    """Return the name of a line of a list, if the code of a label is that of one; else the sentence of the label."""
    return translated(WORDS.outcomes[label.code]) if label.code in WORDS.outcomes else say(label)


def say_at(label: Label, names: Mapping[int, str]) -> str:
    """Return the sentence of a label about a seat, with the name of the player who sits there."""
    seat = label.get("seat")
    who = names.get(seat, "") if isinstance(seat, int) else ""
    return say(Label(label.code, (*label.args, ("who", who))) if who else label)


def say_of(label: Label, names: Mapping[int, str]) -> str:
    """Return the sentence of a label, said to people who did not play; seats have these names."""
    sentence = WORDS.messages_to_others.get(label.code)
    return _filled_in(sentence, label) if sentence else say_at(label, names)


def say_to(label: Label) -> str:
    """Return the sentence of a label about a seat, said to the player who sits there."""
    sentence = WORDS.messages_to_seat.get(label.code)
    return _filled_in(sentence, label) if sentence else say(label)


def _filled_in(sentence: Sentence, label: Label) -> str:
    message = sentence if isinstance(sentence, Message) else Message(sentence, {})
    placeholders = _Placeholders(message.arguments, dict(label.args))
    is_alike = message.alike and len({placeholders[name] for name in message.arguments}) == 1
    return capitalised(translated(message.alike if is_alike else message.text) % placeholders)


class _Placeholders(dict[str, str]):
    """Values of the placeholders of a sentence, worked out for those that it has."""

    def __init__(self, arguments: Mapping[str, Argument], values: Mapping[str, Value]) -> None:
        super().__init__()
        self._arguments = arguments
        self._values = values

    def __missing__(self, placeholder: str) -> str:
        if placeholder == "who" and "who" not in self._values:
            return seat_name(int(str(self._values["seat"])))
        argument = self._arguments.get(placeholder, Argument(placeholder))
        return _formatted(self._values[argument.name], argument.form)


def _formatted(value: Value, form: Form) -> str:
    match value, form:
        case Rank(), Form.PLURAL:
            return ranks_name(value)
        case Rank(), _:
            return rank_name(value)
        case Card(), Form.RANK:
            return rank_name(value.rank)
        case Card(), _:
            return card_name(value)
        case tuple(), _:
            return cards_name(value)
        case str(), Form.SUIT:
            return suit_name(value)
        case int(), Form.UNSIGNED:
            return number(abs(value))
        case int(), Form.SIGNED:
            return signed(value)
        case int(), _:
            return number(value)
        case _:
            return str(value)


_STATUSES: Final[Mapping[str, Sentence]] = {
    "FORFEITED": N_("Left for a day, and forfeited"),
    "VOID": N_("Void"),
    "SEALED": N_("Still sealed"),
}
"""Hands that were not played out, and those that no key opens."""
