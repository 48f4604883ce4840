"""Amounts of the odds together with what they are, in the language of the page: chips, points, a share of the bet.

The pages of one hand say chips or points. A spot without a hand is the same for every bet, and so are the coach's
words: there it is hundredths of the bet.
"""

from collections.abc import Mapping
from typing import Any, Final

from webapp.engine.games import GAMES
from webapp.engine.words import N_, Text
from webapp.services.records.finished import Finished
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.translations import ngettext, percent_sign
from webapp.web.i18n.vocabulary import translated

OF_THE_BET: Final = ("bets", "coins")
"""Units in which the bet is one."""
_HANDS: Final = 100
_BET: Final = 10
"""A price is said in chips for so many hands of so many chips."""
_LEAST: Final = 0.005
_TIMES: Final = 2
"""From so many bets on the bet is counted, and not its hundredths."""


def unit_of(rules: Any) -> str:
    """Return what is won at a table: ``chips``, ``score``, or ``rounds`` where hands are only won and lost.

    A round that is won is one point, and one that is lost is one less.
    """
    return "chips" if rules.bets else "score" if rules.pays else "rounds"


def unit_of_hand(hand: Finished) -> str:
    """Return what is won with a finished hand: points where a practice hand or a daily deal moves no chips."""
    unit = unit_of(hand.rules)
    return "score" if unit == "chips" and (hand.practice or hand.daily) else unit


def in_unit(amount: str, unit: str) -> str:
    """Return an amount, already written as a number, with what it is: "−12.5 chips". Nothing is nothing of anything."""
    if amount in ("0", "±0"):
        return amount
    one = 1 if amount.lstrip("+−±") == "1" else 2
    if unit == "chips":
        return ngettext("%(chips)s chip", "%(chips)s chips", one) % {"chips": amount}
    return ngettext("%(points)s point", "%(points)s points", one) % {"points": amount}


def unit_word(unit: str) -> str:
    """Return the word for many of a unit, to stand beside their number: "chips"."""
    return in_unit("", unit).strip()


def worth_said(value: float, unit: str) -> str:
    """Return what an action brings on average, as a part of a sentence.

    ``coins`` and ``chips`` are what is paid, the bet included; ``bets`` and ``rounds`` what is won, less what is lost.
    """
    if unit == "coins":
        return _("pays back %(amount)s on average", amount=_of_the_bet(value))
    if unit == "bets":
        amount = _of_the_bet(abs(value))
        return (
            _("wins %(amount)s on average", amount=amount)
            if value >= 0
            else _("loses %(amount)s on average", amount=amount)
        )
    return _("%(amount)s on average", amount=in_unit(worth_shown(value, unit), unit))


def worths_sentence(best: float, own: float, unit: str) -> str:
    """Return what the best action and another one bring on average."""
    shown = worth_shown(best, unit)
    worth = _("%(share)s of the bet", share=shown) if unit in OF_THE_BET else in_unit(shown, unit)
    return _("Worth %(worth)s, yours %(yours)s.", worth=worth, yours=worth_shown(own, unit))


def worth_shown(value: float, unit: str) -> str:
    """Return what an action brings on average, as a number beside those of other actions."""
    if unit == "coins":
        return _share(value)
    if unit == "bets":
        return f"{'−' if value < 0 else '+'}{_share(abs(value))}"
    return f"{value:.2f}" if unit != "rounds" else f"{'−' if value < 0 else '+'}{abs(value):.2f}"


def cost_said(cost: float, unit: str, sign: str = "") -> str:
    """Return what an action costs, as a part of a sentence. ``sign`` stands before the number in every language."""
    if unit in OF_THE_BET:
        return _of_the_bet(cost, sign)
    return in_unit(sign + (f"{cost:.2f}" if cost >= _LEAST else "<0.01"), unit)


def _of_the_bet(value: float, sign: str = "") -> str:
    """Return a multiple of the bet: in hundredths of it, where it is not several times as much."""
    if value >= _TIMES:
        return _("%(times)s times the bet", times=f"{sign}{value:.2f}")
    return _("%(share)s of the bet", share=sign + _share(value))


def _share(value: float) -> str:
    percent = 100 * value
    text = f"{percent:.1f}" if percent >= 1 else f"{percent:.2f}" if percent >= _LEAST else "<0.01" if value else "0"
    return f"{text}{percent_sign()}"


def unit_note(unit: str) -> str:
    """Return a sentence that says what the values of a table are; empty where its head says it."""
    return translated(_NOTES[unit]) if unit in _NOTES else ""


_NOTES: Final[Mapping[str, Text]] = {
    "bets": N_("In bets: +1 is a bet that is won, −1 one that is lost, on average."),
    "rounds": N_("In points: +1 is a hand that is won, −1 one that is lost, on average."),
    "coins": N_("What is paid on average for each coin of the bet; 1 is the bet itself."),
}


def chips_per_hundred(share: float) -> float:
    """Return what a share of every bet comes to in a hundred hands of ten chips."""
    return _HANDS * _BET * share


def chips_behind_the_best(share: float, code: str) -> float:
    """Return how much less comes back in a hundred hands of ten chips than at the best table of a game.

    It is 0 there, and where nothing is known of the tables of the game.
    """
    best = max(GAMES[code].words.returns.values(), default=share)
    return max(0.0, chips_per_hundred(float(best) - float(share)))
