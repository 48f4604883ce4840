"""What the engine says: from codes to sentences in the language of the page."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from webapp.engine.label import Label
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.translations import translations
from webapp.web.i18n.vocabulary import capitalised, card_name, cards_name, number, rank_name, ranks_name, seat_name


def say(label: Label) -> str:
    """The sentence of a label."""
    return _said(label, translations())


@lru_cache(maxsize=1024)
def _said(label: Label, _language: object) -> str:
    """A page says the same several times: on the felt, aloud, and in its links."""
    return capitalised(_LABELS[label.code](dict(label.args)))


def say_at(label: Label, names: Mapping[int, str]) -> str:
    """The sentence of a label about a seat, with the name of who sits there."""
    seat = dict(label.args).get("seat")
    who = names.get(seat, "") if isinstance(seat, int) else ""
    return say(Label(label.code, (*label.args, ("who", who))) if who else label)


def say_to(label: Label) -> str:
    """The sentence of a label about a seat, to whoever sits there."""
    return capitalised(_TO_YOU[label.code](dict(label.args))) if label.code in _TO_YOU else say(label)


_LABELS: Final[Mapping[str, Callable[[dict[str, Any]], str]]] = {
    # hands
    "NOTHING": lambda a: _("No hand"),
    "ONE_PAIR": lambda a: _("Pair of %(ranks)s", ranks=ranks_name(a["high"])),
    "JOKER": lambda a: _("Joker, with a pair of %(ranks)s", ranks=ranks_name(a["high"])),
    "TWO_PAIR": lambda a: _("Two pair, %(high)s and %(low)s", high=ranks_name(a["high"]), low=ranks_name(a["low"])),
    "THREE_OF_A_KIND": lambda a: _("Three %(ranks)s", ranks=ranks_name(a["high"])),
    "STRAIGHT": lambda a: _("Straight to the %(rank)s", rank=rank_name(a["high"])),
    "FLUSH": lambda a: _("Flush, %(rank)s high", rank=rank_name(a["high"])),
    "FULL_HOUSE": lambda a: _(
        "Full house, %(high)s over %(low)s", high=ranks_name(a["high"]), low=ranks_name(a["low"])
    ),
    "FOUR_OF_A_KIND": lambda a: _("Four %(ranks)s", ranks=ranks_name(a["high"])),
    "STRAIGHT_FLUSH": lambda a: _("Straight flush to the %(rank)s", rank=rank_name(a["high"])),
    "ROYAL_FLUSH": lambda a: _("Royal flush"),
    "FIVE_OF_A_KIND": lambda a: _("Five %(ranks)s", ranks=ranks_name(a["high"])),
    # draw poker and its double-up
    "DEALT": lambda a: _("Dealt: %(cards)s", cards=cards_name(a["cards"])),
    "DREW": lambda a: _("Drawn: %(cards)s", cards=cards_name(a["cards"])),
    "KEPT_ALL": lambda a: _("All five kept"),
    "STOPPED": lambda a: _("Stopped here"),
    "OPEN_CARD": lambda a: _("Beat the %(card)s", card=card_name(a["card"])),
    "DOUBLE_WIN": lambda a: _("%(picked)s beats %(open)s", **_two_ranks(a)),
    "DOUBLE_TIE": lambda a: _("%(picked)s and %(open)s are equal", **_two_ranks(a)),
    "DOUBLE_LOSE": lambda a: _("%(picked)s loses to %(open)s", **_two_ranks(a)),
    "COLLECTED": lambda a: _("Collected %(score)s", score=number(a["score"])),
    "COLLECTED_AT_LIMIT": lambda a: _("Collected %(score)s: the limit of this table", score=number(a["score"])),
    # blackjack
    "DEALER_SHOWS": lambda a: _("The dealer shows the %(card)s", card=card_name(a["card"])),
    "DEALER_HAS": lambda a: _("The dealer has %(total)s", total=a["total"]),
    "YOU_HAVE": lambda a: _("You have %(total)s", total=a["total"]),
    "BLACKJACK": lambda a: _("Blackjack"),
    "WIN": lambda a: _("You win"),
    "DEALER_BUST": lambda a: _("The dealer is bust, you win"),
    "PUSH": lambda a: _("A push: nobody wins"),
    "LOSE": lambda a: _("The dealer wins"),
    "BUST": lambda a: _("Bust, the dealer wins"),
    "SURRENDER": lambda a: _("Surrendered, half the bet is back"),
    "DEALER_BLACKJACK": lambda a: _("The dealer has blackjack"),
    "NO_DEALER_BLACKJACK": lambda a: _("The dealer has no blackjack"),
    "SHOE_EMPTY": lambda a: _("The shoe is empty: all hands stand"),
    "INSURANCE_WON": lambda a: _("The insurance pays %(chips)s", chips=number(a["net"])),
    "INSURANCE_LOST": lambda a: _("The insurance is lost"),
    "ROUND_WON": lambda a: _("The round won %(chips)s", chips=number(a["net"])),
    "ROUND_EVEN": lambda a: _("The round came out even"),
    "ROUND_LOST": lambda a: _("The round lost %(chips)s", chips=number(-a["net"])),
    # a bank among players
    "BANK_SHOWS": lambda a: _("%(who)s is the bank and shows the %(card)s", who=_who(a), card=card_name(a["card"])),
    "BANK_TURNS": lambda a: _(
        "%(who)s turns the %(card)s: %(total)s", who=_who(a), card=card_name(a["card"]), total=a["total"]
    ),
    "BANK_DREW": lambda a: _(
        "%(who)s draws the %(card)s: %(total)s", who=_who(a), card=card_name(a["card"]), total=a["total"]
    ),
    "BANK_STANDS": lambda a: _("%(who)s stands on %(total)s", who=_who(a), total=a["total"]),
    "SEAT_BET": lambda a: _("%(who)s bets %(chips)s", who=_who(a), chips=number(a["chips"])),
    "SEAT_HAS": lambda a: _("%(who)s has %(total)s", who=_who(a), total=a["total"]),
    "SEAT_DREW": lambda a: _(
        "%(who)s draws the %(card)s: %(total)s", who=_who(a), card=card_name(a["card"]), total=a["total"]
    ),
    "SEAT_STANDS": lambda a: _("%(who)s stands on %(total)s", who=_who(a), total=a["total"]),
    "SEAT_DOUBLED": lambda a: _(
        "%(who)s doubles and draws the %(card)s: %(total)s", who=_who(a), card=card_name(a["card"]), total=a["total"]
    ),
    "SEAT_SPLIT": lambda a: _("%(who)s splits and draws: %(cards)s", who=_who(a), cards=cards_name(a["cards"])),
    "BANK_WON": lambda a: _("The bank wins %(chips)s: %(who)s", who=_who(a), chips=number(a["net"])),
    "BANK_EVEN": lambda a: _("The bank comes out even: %(who)s", who=_who(a)),
    "BANK_LOST": lambda a: _("The bank loses %(chips)s: %(who)s", who=_who(a), chips=number(-a["net"])),
    "SEAT_WON": lambda a: _("%(who)s wins %(chips)s", who=_who(a), chips=number(a["net"])),
    "SEAT_EVEN": lambda a: _("%(who)s comes out even", who=_who(a)),
    "SEAT_LOST": lambda a: _("%(who)s loses %(chips)s", who=_who(a), chips=number(-a["net"])),
    # hands that were not played out
    "FORFEITED": lambda a: _("Left for a day, and forfeited"),
    "VOID": lambda a: _("Void"),
    # hands that no key opens
    "SEALED": lambda a: _("Still sealed"),
}


_TO_YOU: Final[Mapping[str, Callable[[dict[str, Any]], str]]] = {
    "BANK_SHOWS": lambda a: _("You are the bank and show the %(card)s", card=card_name(a["card"])),
    "BANK_TURNS": lambda a: _("You turn the %(card)s: %(total)s", card=card_name(a["card"]), total=a["total"]),
    "BANK_DREW": lambda a: _("You draw the %(card)s: %(total)s", card=card_name(a["card"]), total=a["total"]),
    "BANK_STANDS": lambda a: _("You stand on %(total)s", total=a["total"]),
    "SEAT_HAS": lambda a: _("You have %(total)s", total=a["total"]),
    "SEAT_DREW": lambda a: _("You draw the %(card)s: %(total)s", card=card_name(a["card"]), total=a["total"]),
    "SEAT_STANDS": lambda a: _("You stand on %(total)s", total=a["total"]),
    "SEAT_DOUBLED": lambda a: _(
        "You double and draw the %(card)s: %(total)s", card=card_name(a["card"]), total=a["total"]
    ),
    "SEAT_SPLIT": lambda a: _("You split and draw: %(cards)s", cards=cards_name(a["cards"])),
}


def _who(args: dict[str, Any]) -> str:
    return str(args.get("who") or seat_name(args["seat"]))


def _two_ranks(args: dict[str, Any]) -> dict[str, str]:
    return {name: rank_name(args[name].rank) for name in ("picked", "open")}
