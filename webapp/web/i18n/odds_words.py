"""Words of the odds desk, in the language of the page."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from webapp.engine.cards import parse_cards
from webapp.engine.label import Label
from webapp.engine.odds.question import ImpossibleSpot
from webapp.engine.odds.value import MARKS, Grade
from webapp.engine.words import N_, NP_, Text
from webapp.web.i18n.messages import say
from webapp.web.i18n.translations import gap, ngettext, pgettext
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.vocabulary import card_name, category_name, drawn_name, listed, number, translated

SAID: Final = 3
"""Lines that a sentence names; all of them are in the table below it."""


def impossible(error: ImpossibleSpot) -> str:
    """Return a sentence that says why a decision cannot be."""
    return translated(_REASONS[error.reason]) % {name: _said(name, value) for name, value in error.values.items()}


def outcome_name(code: str) -> str:
    """Return the name of an outcome, as a line of a list."""
    return translated(_OUTCOMES[code]) if code in _OUTCOMES else category_name(code)


def reason_sentence(
    held: Label, made: str, ways: int, drawn: int, parts: Sequence[tuple[str, int]], *, is_best: bool, most: int = SAID
) -> str:
    """Return why an action is worth what it is: what is held, and what the cards that come make of it.

    ``parts``: lines and in how many of all ways they come, in the order in which they are said, at ``most`` so many.
    """
    name = say(held)
    better = [(count, drawn_name(code)) for code, count in parts if code != made][:most] if drawn else []
    if not better:
        closing = _("No exchange is worth more.") if ways and not drawn and is_best else ""
        return gap().join(filter(None, (_("%(sentence)s.", sentence=name), closing)))
    (first, hand), *others = better
    if drawn == 1:
        begin = ngettext("%(count)s makes %(hand)s", "%(count)s make %(hand)s", first)
        more, whole = pgettext("cards", "%(count)s %(hand)s"), _("%(held)s: of %(ways)s cards, %(list)s.")
    else:
        begin = ngettext("%(count)s brings %(hand)s", "%(count)s bring %(hand)s", first)
        more, whole = pgettext("draws", "%(count)s %(hand)s"), _("%(held)s: of %(ways)s draws, %(list)s.")
    said = [begin % {"count": number(first), "hand": hand}]
    said += [more % {"count": number(count), "hand": hand} for count, hand in others]
    return whole % {"held": name, "ways": number(ways), "list": listed(said)}


def grade_mark(grade: Grade) -> str:
    """Return the mark of a decision's quality."""
    return MARKS[grade]


def unit_name(unit: str) -> str:
    """Return what the values of an answer are, as the head of a column."""
    return translated(_UNITS[unit])


def word_name(word: str) -> str:
    """Return what a word of a strategy chart means."""
    return translated(_CHART_WORDS[word])


def _said(name: str, value: Any) -> str:
    if name == "card":
        return card_name(parse_cards(str(value))[0])
    return number(value) if isinstance(value, int) else str(value)


_REASONS: Final[Mapping[str, Text]] = {
    "no-card": N_("That is no card. Cards are written like Ah, Td and 9s, the joker Jk."),
    "too-long": N_("That is more than all cards of the shoe."),
    "hand-size": N_("A hand has five cards, and %(count)s are named."),
    "hand-least": N_("A hand has two cards or more."),
    "jokers": N_("So many jokers are not in the deck of this table."),
    "no-joker": N_("There is no joker in this game."),
    "twice": N_("A card is named twice: the %(card)s."),
    "too-many": N_("A card is named more often than the shoe has it: the %(card)s."),
    "none-left": N_("All cards of the shoe are named."),
    "dealer-one": N_("The dealer or the bank shows one card, no more and no less."),
    "dealer-natural": N_("With these cards there would be a blackjack against you, and nothing left to decide."),
    "bust": N_("This hand is bust with %(total)s."),
    "natural": N_("A blackjack is not played on."),
    "stands": N_("21 stands by itself at this table."),
    "no-insurance": N_("Insurance is not offered here."),
    "no-split": N_("No hand of this split is to be played."),
    "exchanges": N_("At this table there are not so many exchanges left."),
    "bad-exchanges": N_("Exchanges left: a whole number from %(least)s to %(most)s."),
    "no-double-up": N_("There is no double-up at this table."),
    "no-score": N_("The double-up is about a score: say which."),
    "bad-score": N_("A score that can be doubled is a whole number from %(least)s to %(most)s."),
    "bad-wins": N_("Rounds won: a whole number from %(least)s to %(most)s."),
    "bad-rounds": N_("Rounds played: a whole number from %(least)s to %(most)s."),
    "open": N_("One card lies open, and it is not the joker."),
    "bad-bet": N_("A bet is a whole number from %(least)s to %(most)s."),
    "too-dear": N_("So many deals of this decision would take too long here. Choose at most %(most)s."),
    "bad-system": N_(
        "A counting system is ten whole numbers from -4 to 4, not all the same: for the ace, then for 2 to 10."
    ),
    "held": N_("That is not among the actions that are possible here."),
    "finished": N_("At this point of the hand there is nothing to decide."),
}

_OUTCOMES: Final[Mapping[str, Text]] = {
    "NOTHING": NP_("outcome", "Nothing"),
    "DOUBLE_WIN": NP_("outcome", "Won"),
    "DOUBLE_TIE": NP_("outcome", "Tie"),
    "DOUBLE_LOSE": NP_("outcome", "Lost"),
}

_UNITS: Final[Mapping[str, Text]] = {
    "score": NP_("worth", "Score"),
    "chips": NP_("worth", "Chips"),
    "coins": NP_("worth", "For each coin"),
    "bets": NP_("worth", "Bets"),
    "rounds": NP_("worth", "Wins minus losses"),
}

_CHART_WORDS: Final[Mapping[str, Text]] = {
    "S": N_("Stand"),
    "H": N_("Hit"),
    "Dh": N_("Double, else hit"),
    "Ds": N_("Double, else stand"),
    "Rh": N_("Surrender, else hit"),
    "Rs": N_("Surrender, else stand"),
    "Rp": N_("Surrender, else split"),
    "P": N_("Split"),
    "-": N_("As its total"),
}
