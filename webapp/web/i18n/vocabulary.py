"""Names of cards, games, tables, rules and moves, in the language of the page.

A game's own words stand in its folder; here they are looked up. Card notation is the same in all languages.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Final
from unicodedata import east_asian_width

from babel import Locale
from babel.dates import format_date, format_skeleton, format_time
from babel.numbers import format_decimal
from markupsafe import Markup

from webapp.engine.cards import Card, Rank, Suit, parse_cards
from webapp.engine.games import GAMES, WORDS
from webapp.engine.words import N_, NP_, InContext, Text
from webapp.web.i18n.translations import gettext, locale, percent_sign, pgettext, translations


def translated(text: Text) -> str:
    """Return a marked sentence in the language of the page, its placeholders not yet filled in."""
    return pgettext(text.context, text.text) if isinstance(text, InContext) else gettext(text)


def rank_name(rank: Rank) -> str:
    """Return a rank as in a sentence: "queen"."""
    return translated(_RANKS[rank])


def ranks_name(rank: Rank) -> str:
    """Return several of a rank, as in a sentence: "queens"."""
    return translated(_RANKS_PLURAL[rank])


def suit_name(letter: str) -> str:
    """Return one card of a suit, by its letter, as in a sentence: "heart"."""
    return translated(_ONE_OF_SUIT[letter])


def card_name(card: Card) -> str:
    """Return a card as in a sentence: "queen of hearts"."""
    if card.is_joker:
        return rank_name(card.rank)
    return translated(_CARD) % {"rank": rank_name(card.rank), "suit": translated(_SUITS[card.suit])}


def stand_in_name(letters: str, suited: bool) -> str:
    """Return the card that a joker stands for, as in a sentence; by its rank alone where its suit does not matter."""
    (card,) = parse_cards(letters)
    return card_name(card) if suited else rank_name(card.rank)


def card_title(card: Card) -> str:
    """Return a card's name by itself: "Queen of hearts"."""
    return _title(card, translations())


@lru_cache(maxsize=1024)
def _title(card: Card, _language: object) -> str:
    """Remember a name: a page names dozens of cards."""
    return capitalised(card_name(card))


def cards_name(cards: tuple[Card, ...]) -> str:
    """Return the names of several cards, with commas between them."""
    return listed(map(card_name, cards))


def listed(texts: Iterable[str]) -> str:
    """Return several texts with commas between them."""
    return translated(_COMMA).join(texts)


def drawn_name(code: str) -> str:
    """Return a line of a pay table as what cards make that come: "a flush"."""
    return translated(WORDS.drawn[code]) if code in WORDS.drawn else category_name(code)


def category_name(code: str) -> str:
    """Return the name of a result, or of a kind of hand, as a line of a list."""
    return translated(WORDS.outcomes[code])


def game_name(code: str) -> str:
    """Return the name of a game."""
    return translated(GAMES[code].words.title)


def game_claim(code: str) -> str:
    """Return what a game is, in one line."""
    return translated(GAMES[code].words.claim)


def table_name(variant: str) -> str:
    """Return the name of a preset; all own rules have the same one."""
    return translated(WORDS.variants.get(variant, _OWN_RULES))


def return_said(variant: str) -> str:
    """Return what best play gets back at a preset, in per cent; "" where that is not known before it is computed."""
    share = WORDS.returns.get(variant)
    return "" if share is None else f"{float(100 * share):.2f}{percent_sign()}"


def table_in_list(variant: str) -> str:
    """Return the name of a table as a list has it: with its return, where that is known."""
    share = return_said(variant)
    return f"{table_name(variant)} · {share}" if share else table_name(variant)


def rule_name(field: str) -> str:
    """Return the name of a field of the rules, as a line of a list."""
    return translated(WORDS.rules[field])


def choice_name(field: str, choice: object) -> str:
    """Return the name of a choice for a field. A number is its own name."""
    if field in WORDS.shares:
        return translated(WORDS.shares[field]) % {"percent": round(100 * float(str(choice)))}
    name = WORDS.choices.get((field, choice)) or (_YES_OR_NO[choice] if isinstance(choice, bool) else None)
    return translated(name) if name else str(choice)


def move_name(verb: str) -> str:
    """Return what was done, as in a list: "split, hit, stand"."""
    return translated(WORDS.moves[verb])


def game_preferences() -> list[tuple[str, str, list[tuple[str, str]], str]]:
    """Return the preferences that games have: name, title, (value, text) pairs and default of each."""
    preferences = {asked.name: asked for game in GAMES.values() for asked in game.spec.preferences}
    return [
        (
            name,
            translated(asked.title),
            [(value, translated(text)) for value, text in asked.values.items()],
            asked.default,
        )
        for name, asked in preferences.items()
    ]


def seat_name(number: int) -> str:
    """Return the name of a seat whose player has none."""
    return translated(_SEAT) % {"number": number + 1}


def capitalised(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def number(n: int) -> str:
    """Return a number grouped by thousands, as the language of the page does it."""
    return _grouped(n, locale())


@lru_cache(maxsize=512)
def _grouped(n: int, name: str) -> str:
    """Remember a number: a page says many of them, and most of them often."""
    return format_decimal(n, locale=name)


def day(when: date | str) -> str:
    """Return a day, or its ISO name, as the language of the page writes it: "Nov 22, 2026"."""
    known = date.fromisoformat(when) if isinstance(when, str) else when
    return format_date(known, "medium", locale=locale())


def month_name(month: str) -> str:
    """Return a month, written ``2026-11``, as the language of the page writes it: "November 2026"."""
    return format_skeleton("yMMMM", date.fromisoformat(f"{month}-01"), locale=locale())


def weekdays() -> tuple[str, ...]:
    """Return short names of the days of a week, in the order of the language's calendars."""
    known = Locale.parse(locale())
    names = known.days["stand-alone"]["narrow"]
    return tuple(names[(known.first_week_day + number) % 7] for number in range(7))


def place_in_week(day: str) -> int:
    """Return the place of a day in its week, from 0."""
    return (date.fromisoformat(day).weekday() - Locale.parse(locale()).first_week_day) % 7


def moment(when: datetime) -> Markup:
    """Return the day of a moment, in UTC and saying so; a script shows that of the reader's zone in its place."""
    text = gettext("%(day)s (UTC)", day=day(when.astimezone(UTC).date()))
    return Markup('<time datetime="{}" data-zoned>{}</time>').format(
        when.astimezone(UTC).isoformat("T", "seconds"), text
    )


def minute(when: int) -> Markup:
    """Return a time in unix milliseconds as day, hour and minute, in UTC as ``moment`` does."""
    at = datetime.fromtimestamp(when / 1000, UTC)
    text = gettext("%(day)s (UTC)", day=f"{day(at.date())} {format_time(at, 'HH:mm', locale=locale())}")
    return Markup('<time datetime="{}" data-zoned="minute">{}</time>').format(at.isoformat("T", "seconds"), text)


def signed(chips: int) -> str:
    """Return chips won or lost, with the sign."""
    return f"+{number(chips)}" if chips > 0 else f"−{number(-chips)}" if chips < 0 else "±0"


def breadth(text: str) -> int:
    """Return how much room a text takes, in Latin letters: one of Chinese or Japanese takes that of two."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


_CARD: Final = NP_("card", "%(rank)s of %(suit)s")
_COMMA: Final = NP_("between cards", ", ")
_OWN_RULES: Final = N_("Own rules")
_SEAT: Final = N_("Seat %(number)s")
_YES_OR_NO: Final[Mapping[bool, Text]] = {True: NP_("rule", "yes"), False: NP_("rule", "no")}

_RANKS: Final[Mapping[Rank, Text]] = {
    Rank.JOKER: NP_("rank", "joker"),
    Rank.TWO: NP_("rank", "two"),
    Rank.THREE: NP_("rank", "three"),
    Rank.FOUR: NP_("rank", "four"),
    Rank.FIVE: NP_("rank", "five"),
    Rank.SIX: NP_("rank", "six"),
    Rank.SEVEN: NP_("rank", "seven"),
    Rank.EIGHT: NP_("rank", "eight"),
    Rank.NINE: NP_("rank", "nine"),
    Rank.TEN: NP_("rank", "ten"),
    Rank.JACK: NP_("rank", "jack"),
    Rank.QUEEN: NP_("rank", "queen"),
    Rank.KING: NP_("rank", "king"),
    Rank.ACE: NP_("rank", "ace"),
}

_RANKS_PLURAL: Final[Mapping[Rank, Text]] = {
    Rank.TWO: NP_("ranks", "twos"),
    Rank.THREE: NP_("ranks", "threes"),
    Rank.FOUR: NP_("ranks", "fours"),
    Rank.FIVE: NP_("ranks", "fives"),
    Rank.SIX: NP_("ranks", "sixes"),
    Rank.SEVEN: NP_("ranks", "sevens"),
    Rank.EIGHT: NP_("ranks", "eights"),
    Rank.NINE: NP_("ranks", "nines"),
    Rank.TEN: NP_("ranks", "tens"),
    Rank.JACK: NP_("ranks", "jacks"),
    Rank.QUEEN: NP_("ranks", "queens"),
    Rank.KING: NP_("ranks", "kings"),
    Rank.ACE: NP_("ranks", "aces"),
}

_SUITS: Final[Mapping[Suit, Text]] = {
    Suit.CLUBS: NP_("suit", "clubs"),
    Suit.DIAMONDS: NP_("suit", "diamonds"),
    Suit.HEARTS: NP_("suit", "hearts"),
    Suit.SPADES: NP_("suit", "spades"),
}

_ONE_OF_SUIT: Final[Mapping[str, Text]] = {
    "c": NP_("one of the suit", "club"),
    "d": NP_("one of the suit", "diamond"),
    "h": NP_("one of the suit", "heart"),
    "s": NP_("one of the suit", "spade"),
}
