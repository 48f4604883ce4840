"""Names of cards, hands, games, tables, rules and moves, in the language of the page.

Card notation is the same in all languages, and is not here.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final
from unicodedata import east_asian_width

from webapp.engine.cards import Card, Rank, Suit
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.translations import pgettext, translations


def rank_name(rank: Rank) -> str:
    """In a sentence: "queen"."""
    return _RANKS[rank]()


def ranks_name(rank: Rank) -> str:
    """Several of them: "queens"."""
    return _RANKS_PLURAL[rank]()


def card_name(card: Card) -> str:
    """In a sentence: "queen of hearts"."""
    if card.is_joker:
        return rank_name(card.rank)
    name: str = pgettext("card", "%(rank)s of %(suit)s", rank=rank_name(card.rank), suit=_SUITS[card.suit]())
    return name


def card_title(card: Card) -> str:
    """By itself: "Queen of hearts"."""
    return _title(card, translations())


@lru_cache(maxsize=1024)
def _title(card: Card, _language: object) -> str:
    """A page names dozens of cards."""
    return capitalised(card_name(card))


def cards_name(cards: tuple[Card, ...]) -> str:
    comma: str = pgettext("between cards", ", ")
    return comma.join(map(card_name, cards))


def category_name(code: str) -> str:
    """A kind of hand, as a line of a pay table."""
    return _CATEGORIES[code]()


def game_name(code: str) -> str:
    return _GAMES[code.upper()]()


def game_claim(code: str) -> str:
    """What a game is, in one line."""
    return _CLAIMS[code.upper()]()


def table_name(variant: str) -> str:
    """A preset's name; all own rules have one, whatever they are."""
    return _TABLES[variant]() if variant in _TABLES else str(_("Own rules"))


def strategy_name(name: str) -> str:
    """How a simulated player plays, as a line of a list."""
    word, _dash, total = name.partition("-")
    return str(_("Stand on %(total)s", total=total)) if word == "stand" else _STRATEGIES[name]()


def rule_name(field: str) -> str:
    """A field of the rules, as a line of a list."""
    return (_RULES.get(field) or _RULES_OF_COMPANY[field])()


def choice_name(field: str, choice: object) -> str:
    """What was chosen for it. Numbers and the like are their own name."""
    if field == "penetration":
        share: str = _("after %(percent)s %% of the cards", percent=round(100 * float(str(choice))))
        return share
    name = _CHOICES.get((field, choice)) or (_CHOICES.get((None, choice)) if isinstance(choice, bool) else None)
    return name() if name else str(choice)


def move_name(verb: str) -> str:
    """What was done, in a list: "split, hit, stand"."""
    return _MOVES[verb]()


def seat_name(number: int) -> str:
    """Of a seat whose player has no name."""
    name: str = _("Seat %(number)s", number=number + 1)
    return name


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def number(n: int) -> str:
    """Grouped by thousands, as all our languages do it."""
    return f"{n:,}"


def signed(chips: int) -> str:
    """Won or lost, with the sign."""
    return f"+{number(chips)}" if chips > 0 else f"−{number(-chips)}" if chips < 0 else "±0"


def breadth(text: str) -> int:
    """How much room a text takes, in Latin letters: one of Chinese or Japanese takes that of two."""
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in text)


_RANKS: Final[Mapping[Rank, Callable[[], str]]] = {
    Rank.JOKER: lambda: pgettext("rank", "joker"),
    Rank.TWO: lambda: pgettext("rank", "two"),
    Rank.THREE: lambda: pgettext("rank", "three"),
    Rank.FOUR: lambda: pgettext("rank", "four"),
    Rank.FIVE: lambda: pgettext("rank", "five"),
    Rank.SIX: lambda: pgettext("rank", "six"),
    Rank.SEVEN: lambda: pgettext("rank", "seven"),
    Rank.EIGHT: lambda: pgettext("rank", "eight"),
    Rank.NINE: lambda: pgettext("rank", "nine"),
    Rank.TEN: lambda: pgettext("rank", "ten"),
    Rank.JACK: lambda: pgettext("rank", "jack"),
    Rank.QUEEN: lambda: pgettext("rank", "queen"),
    Rank.KING: lambda: pgettext("rank", "king"),
    Rank.ACE: lambda: pgettext("rank", "ace"),
}

_RANKS_PLURAL: Final[Mapping[Rank, Callable[[], str]]] = {
    Rank.TWO: lambda: pgettext("ranks", "twos"),
    Rank.THREE: lambda: pgettext("ranks", "threes"),
    Rank.FOUR: lambda: pgettext("ranks", "fours"),
    Rank.FIVE: lambda: pgettext("ranks", "fives"),
    Rank.SIX: lambda: pgettext("ranks", "sixes"),
    Rank.SEVEN: lambda: pgettext("ranks", "sevens"),
    Rank.EIGHT: lambda: pgettext("ranks", "eights"),
    Rank.NINE: lambda: pgettext("ranks", "nines"),
    Rank.TEN: lambda: pgettext("ranks", "tens"),
    Rank.JACK: lambda: pgettext("ranks", "jacks"),
    Rank.QUEEN: lambda: pgettext("ranks", "queens"),
    Rank.KING: lambda: pgettext("ranks", "kings"),
    Rank.ACE: lambda: pgettext("ranks", "aces"),
}

_SUITS: Final[Mapping[Suit, Callable[[], str]]] = {
    Suit.CLUBS: lambda: pgettext("suit", "clubs"),
    Suit.DIAMONDS: lambda: pgettext("suit", "diamonds"),
    Suit.HEARTS: lambda: pgettext("suit", "hearts"),
    Suit.SPADES: lambda: pgettext("suit", "spades"),
}

_CATEGORIES: Final[Mapping[str, Callable[[], str]]] = {
    "NOTHING": lambda: _("No hand"),
    "ONE_PAIR": lambda: _("One pair"),
    "JOKER": lambda: _("Joker"),
    "TWO_PAIR": lambda: _("Two pair"),
    "THREE_OF_A_KIND": lambda: _("Three of a kind"),
    "STRAIGHT": lambda: _("Straight"),
    "FLUSH": lambda: _("Flush"),
    "FULL_HOUSE": lambda: _("Full house"),
    "FOUR_OF_A_KIND": lambda: _("Four of a kind"),
    "STRAIGHT_FLUSH": lambda: _("Straight flush"),
    "ROYAL_FLUSH": lambda: _("Royal flush"),
    "FIVE_OF_A_KIND": lambda: _("Five of a kind"),
    "NATURAL_ROYAL": lambda: _("Royal flush without the joker"),
    "WILD_ROYAL": lambda: _("Royal flush with the joker"),
    "KINGS_OR_BETTER": lambda: _("Pair of kings or aces"),
    "BLACKJACK": lambda: _("Blackjack"),
    "WIN": lambda: _("Won"),
    "DEALER_BUST": lambda: _("Dealer bust"),
    "PUSH": lambda: _("Push"),
    "LOSE": lambda: _("Lost"),
    "BUST": lambda: _("Bust"),
    "SURRENDER": lambda: _("Surrendered"),
    "DEALER_BLACKJACK": lambda: _("Dealer’s blackjack"),
    "ROUND_WON": lambda: _("Round won"),
    "ROUND_EVEN": lambda: _("Round even"),
    "ROUND_LOST": lambda: _("Round lost"),
}

# In capitals, as a code: a game is called by its own name in its own folders only.
_GAMES: Final[Mapping[str, Callable[[], str]]] = {
    "POKER": lambda: _("Quest poker"),
    "JOKER": lambda: _("Joker poker"),
    "BLACKJACK": lambda: _("Blackjack"),
    "TABLE21": lambda: _("Table 21"),
}

_CLAIMS: Final[Mapping[str, Callable[[], str]]] = {
    "POKER": lambda: _("One exchange, then double or collect"),
    "JOKER": lambda: _("One wild joker, bets, up to three exchanges"),
    "BLACKJACK": lambda: _("From the beginner’s table to a shoe with a cut card"),
    "TABLE21": lambda: _("Two to five people at one table, one of them the bank"),
}

_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "quest": lambda: _("House rules"),
    "house": lambda: _("House rules"),
    "quest-ties-win": lambda: _("An equal card wins"),
    "arcade": lambda: _("Arcade, three exchanges"),
    "arcade-1": lambda: _("Arcade, one exchange"),
    "kings-or-better": lambda: _("Casino, kings or better"),
    "arcade-double": lambda: _("Arcade, three exchanges, with double-up"),
    "arcade-1-double": lambda: _("Arcade, one exchange, with double-up"),
    "vegas": lambda: _("Las Vegas, six decks"),
    "downtown": lambda: _("Downtown, two decks"),
    "european": lambda: _("European, no hole card"),
    "single": lambda: _("Single deck, 6:5"),
    "classic": lambda: _("Classic, for beginners"),
    "kings-or-better-double": lambda: _("Casino, kings or better, with double-up"),
}

_MOVES: Final[Mapping[str, Callable[[], str]]] = {
    "hit": lambda: pgettext("move", "hit"),
    "stand": lambda: pgettext("move", "stand"),
    "double": lambda: pgettext("move", "double"),
    "split": lambda: pgettext("move", "split"),
    "surrender": lambda: pgettext("move", "surrender"),
    "insure": lambda: pgettext("move", "insured"),
    "decline": lambda: pgettext("move", "no insurance"),
}

_STRATEGIES: Final[Mapping[str, Callable[[], str]]] = {
    "basic": lambda: _("Basic strategy"),
    "mimic": lambda: _("As the dealer"),
    "never-bust": lambda: _("Never bust"),
    "sheet": lambda: _("A table of one’s own"),
}

_RULES: Final[Mapping[str, Callable[[], str]]] = {
    "decks": lambda: _("Decks"),
    "penetration": lambda: _("Shuffled"),
    "soft_17": lambda: _("Dealer’s soft 17"),
    "hole_card": lambda: _("Hole card"),
    "lose": lambda: _("Without a look, a dealer’s blackjack takes"),
    "blackjack_pays": lambda: _("Blackjack pays"),
    "double_on": lambda: _("Double on"),
    "double_after_split": lambda: _("Double after a split"),
    "split_by": lambda: _("Split"),
    "max_hands": lambda: _("Hands on a box, at most"),
    "resplit_aces": lambda: _("Split aces again"),
    "hit_split_aces": lambda: _("Hit split aces"),
    "surrender": lambda: _("Surrender"),
    "insurance": lambda: _("Insurance"),
    "auto_stand_21": lambda: _("21 stands by itself"),
}

# and of tables that people share
_RULES_OF_COMPANY: Final[Mapping[str, Callable[[], str]]] = {
    "min_bet": lambda: _("Lowest bet"),
    "max_bet": lambda: _("Highest bet"),
    "bet_clock": lambda: _("Seconds to bet"),
    "turn_clock": lambda: _("Seconds for each action"),
    "bank_rounds": lambda: _("Rounds as the bank, in a row"),
    "absent_after": lambda: _("Away after seconds of silence"),
    "on_absent": lambda: _("When somebody stays away"),
}

_CHOICES: Final[Mapping[tuple[str | None, object], Callable[[], str]]] = {
    (None, True): lambda: pgettext("rule", "yes"),
    (None, False): lambda: pgettext("rule", "no"),
    ("soft_17", "stand"): lambda: pgettext("rule", "stands"),
    ("soft_17", "hit"): lambda: pgettext("rule", "draws"),
    ("hole_card", "peek"): lambda: pgettext("rule", "dealer looks first"),
    ("hole_card", "no_peek"): lambda: pgettext("rule", "drawn last (European)"),
    ("lose", "original"): lambda: pgettext("rule", "the first bet only"),
    ("lose", "all"): lambda: pgettext("rule", "all bets"),
    ("double_on", "any"): lambda: pgettext("rule", "any two cards"),
    ("double_on", "none"): lambda: pgettext("rule", "never"),
    ("split_by", "value"): lambda: pgettext("rule", "cards of equal value"),
    ("split_by", "rank"): lambda: pgettext("rule", "cards of equal rank"),
    ("split_by", "none"): lambda: pgettext("rule", "never"),
    ("on_absent", "free"): lambda: pgettext("rule", "the seat is free again"),
    ("on_absent", "close"): lambda: pgettext("rule", "the table closes"),
    ("surrender", "none"): lambda: pgettext("rule", "no"),
    ("surrender", "late"): lambda: pgettext("rule", "as the first move"),
}
