"""An example of each line of the pay tables, and what makes it, in half a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from webapp.engine.cards import Card, parse_cards
from webapp.engine.words import N_, Text


@dataclass(frozen=True, slots=True)
class Example:
    """Five cards that are on a line, and why."""

    cards: tuple[Card, ...]
    reason: Text


def _example(cards: str, reason: Text) -> Example:
    return Example(parse_cards(cards), reason)


EXAMPLES: Final[Mapping[str, Example]] = {
    "FIVE_OF_A_KIND": _example("8s 8h 8d 8c Jk", N_("Four cards of one rank, and the joker as the fifth.")),
    "ROYAL_FLUSH": _example("Ah Kh Qh Jh Th", N_("Ten to ace, all of one suit.")),
    "NATURAL_ROYAL": _example("Ah Kh Qh Jh Th", N_("Ten to ace, all of one suit, without the joker.")),
    "WILD_ROYAL": _example("Ah Kh Jk Jh Th", N_("Ten to ace, all of one suit, with the joker’s help.")),
    "STRAIGHT_FLUSH": _example("9s 8s 7s 6s 5s", N_("Five in a row, all of one suit.")),
    "FOUR_OF_A_KIND": _example("Qs Qh Qd Qc 5h", N_("Four cards of one rank.")),
    "FULL_HOUSE": _example("Ks Kh Kd 9c 9h", N_("Three of one rank and two of another.")),
    "FLUSH": _example("Kd Jd 8d 6d 3d", N_("Five of one suit, in any order.")),
    "STRAIGHT": _example("Tc 9h 8s 7d 6c", N_("Five in a row, whatever their suits.")),
    "THREE_OF_A_KIND": _example("7s 7h 7d Kc 2h", N_("Three cards of one rank.")),
    "TWO_PAIR": _example("Js Jh 4d 4c Ah", N_("Two of one rank and two of another.")),
    "FOUR_ACES_LOW": _example("As Ah Ad Ac 3h", N_("Four aces, and the fifth card a two, three or four.")),
    "FOUR_ACES": _example("As Ah Ad Ac 9h", N_("The ace of every suit.")),
    "FOUR_LOW_LOW": _example("3s 3h 3d 3c Ah", N_("Four of them, and the fifth card an ace, two, three or four.")),
    "FOUR_LOW": _example("3s 3h 3d 3c Jh", N_("Four twos, four threes or four fours.")),
    "FOUR_HIGH": _example("Qs Qh Qd Qc 5h", N_("Four of any rank from five to king.")),
    "JACKS_OR_BETTER": _example("Js Jh 9d 6c 3h", N_("Two jacks, queens, kings or aces.")),
    "KINGS_OR_BETTER": _example("Ks Kh 9d 6c 3h", N_("Two kings or two aces.")),
    "JOKER": _example("Jk Kh 9d 6c 3h", N_("The joker, and nothing better than the pair it makes.")),
    "ONE_PAIR": _example("8s 8h Kd 6c 3h", N_("Two cards of one rank.")),
}
"""By the code of the line."""

EXAMPLES_WITH_DEUCES: Final[Mapping[str, Example]] = {
    "NATURAL_ROYAL": _example("Ah Kh Qh Jh Th", N_("Ten to ace, all of one suit, without a deuce.")),
    "FOUR_DEUCES": _example("2s 2h 2d 2c 9h", N_("All four deuces, with any fifth card.")),
    "WILD_ROYAL": _example("Ah Kh 2s Jh Th", N_("Ten to ace, all of one suit, with a deuce’s help.")),
    "FIVE_OF_A_KIND": _example("8s 8h 8d 2c 2h", N_("Five of one rank, deuces among them.")),
    "STRAIGHT_FLUSH": _example("9s 8s 2d 6s 5s", N_("Five in a row, all of one suit; a deuce fills a gap.")),
    "FOUR_OF_A_KIND": _example("Qs Qh Qd 2c 5h", N_("Four of one rank, deuces among them.")),
    "FULL_HOUSE": _example("Ks Kh 2d 9c 9h", N_("Two pair and a deuce.")),
    "FLUSH": _example("Kd Jd 8d 2s 3d", N_("Five of one suit; a deuce is of any.")),
    "STRAIGHT": _example("Tc 9h 2s 7d 6c", N_("Five in a row; a deuce fills a gap.")),
    "THREE_OF_A_KIND": _example("7s 7h 2d Kc 4h", N_("A pair and a deuce.")),
}
"""The same where deuces are wild."""
