"""Link preview of a finished hand, for people who did not play: title, description, and what the picture shows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from webapp.engine.game import CardGroup
from webapp.services.deals.puzzles import Puzzle
from webapp.services.records.finished import Finished
from webapp.web.hand_page.picture.subject import ShownGroup, Subject
from webapp.web.hand_page.picture.text_layout import is_drawable
from webapp.web.i18n.display_names import names_of
from webapp.web.i18n.messages import say_of
from webapp.web.i18n.review_words import change, cost, ledger_sentence
from webapp.web.i18n.translations import gap, pgettext, use_language
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.unit_words import in_unit, unit_of
from webapp.web.i18n.vocabulary import capitalised, cards_name, game_name, number, seat_name, signed


@dataclass(frozen=True, slots=True)
class LinkText:
    """Title and description of a link, in the language of the page."""

    title: str
    description: str


def link_text(hand: Finished, review: Mapping[str, Any] | None = None) -> LinkText:
    """Return the title and the description of a hand's link. ``review`` is the one that is stored."""
    names = names_of(hand)
    title, sentences = _headline(hand), _remarks(hand, names)
    if hand.seats and hand.status == "done":
        best_first = sorted(enumerate(hand.seats), key=lambda placed: -placed[1].net)
        title = pgettext("between cards", ", ").join(f"{names[place]} {signed(seat.net)}" for place, seat in best_first)
        sentences = [_headline(hand, names), *sentences]
    else:
        sentences = [_cards_in_words(hand, names), *sentences]
        title = _with_amount(title, _amount(hand))
        if hand.practice:
            title = _("Practice: %(said)s", said=title)
    described = [_("%(sentence)s.", sentence=one) for one in (game_name(_code(hand)), *sentences)]
    if review and not hand.seats:
        described.append(ledger_sentence(len(review["decisions"]), review["cost"], review["luck"], unit_of(hand.rules)))
    return LinkText(title, gap().join(described))


def subject_of(hand: Finished, review: Mapping[str, Any] | None = None) -> Subject:
    """Return the content of a hand's picture, in English: the picture is the same for everybody who has the link.

    ``review`` is the one that is stored; what it comes to is small print.
    """
    with use_language("en"):
        names = {
            place: name if is_drawable(name) else seat_name(hand.seats[place].number)
            for place, name in names_of(hand).items()
        }
        shown = (_shown(hand, group, names) for group in hand.recap.groups)
        groups = tuple(replace(group, amount=_drawable(group.amount)) for group in shown)
        practice = (_("Practice, without chips"),) if hand.practice else ()
        title = "\n".join((_headline(hand, names), *_remarks(hand, names), *practice))
        small = " · ".join(_small_print(hand, review, names))
        return Subject(groups, title, "" if hand.seats else _drawable(_amount(hand)), _drawable(small))


def subject_of_puzzle(puzzle: Puzzle) -> Subject:
    """Return the content of the picture of a decision, in English: the open cards before it, and a question."""
    with use_language("en"):
        cards = puzzle.hand or puzzle.view.open_cards
        return Subject((ShownGroup(cards[:7]),), _("What would you do?"), "")


def _small_print(hand: Finished, review: Mapping[str, Any] | None, names: Mapping[int, str]) -> Iterator[str]:
    """Yield what a review comes to, of a round what the decisions of each seat cost, and that there was help."""
    if review and hand.seats:
        each = (f"{names[seat['seat']]} {cost(seat['cost'])}" for seat in review["seats"])
        yield _("Chips given away by decisions: %(costs)s", costs=pgettext("between cards", ", ").join(each))
    elif review:
        yield _(
            "Worth %(start)s before the deal, luck %(luck)s, decisions %(cost)s, result %(payout)s",
            start=change(review["start"]),
            luck=change(review["luck"]),
            cost=cost(review["cost"]),
            payout=in_unit(change(review["payout"]), unit_of(hand.rules)),
        )
    if hand.helped:
        yield _("played with help")


def _drawable(amount: str) -> str:
    """Return an amount in letters of the font, which has no minus sign."""
    return amount.replace("±", "").replace("−", "–")


def _code(hand: Finished) -> str:
    return hand.game.spec.code


def _headline(hand: Finished, names: Mapping[int, str] | None = None) -> str:
    return say_of(hand.labels[0], names or {})


def _remarks(hand: Finished, names: Mapping[int, str]) -> list[str]:
    """Return sentences beside the first one; none of a hand that was not played out."""
    remarks = hand.recap.remarks if hand.status == "done" else ()
    return [say_of(label, names) for label in dict.fromkeys(remarks)]


def _amount(hand: Finished) -> str:
    """Return the number that sums up a hand: chips won or lost, or the score; empty where nothing is paid.

    It is also empty for a hand that was not played out and cost nothing.
    """
    if not hand.rules.pays or hand.status == "void":
        return ""
    return number(hand.score) if hand.net is None else signed(hand.net)


def _with_amount(sentence: str, amount: str) -> str:
    return _("%(said)s: %(net)s", said=sentence, net=amount) if amount else sentence


def _cards_in_words(hand: Finished, names: Mapping[int, str]) -> str:
    """Return the cards by their names; several groups of them by what they come to."""
    groups = [_shown(hand, group, names) for group in hand.recap.groups]
    if len(groups) == 1:
        return capitalised(cards_name(hand.recap.groups[0].cards))
    return " · ".join(f"{group.caption} {group.amount}".strip() for group in groups)


def _shown(hand: Finished, group: CardGroup, names: Mapping[int, str]) -> ShownGroup:
    """Return a group with its words. Chips stand there if there are several stakes, for one they are the whole."""
    label = say_of(group.label, names) if group.label else ""
    if group.seat is not None:
        net = hand.seats[group.seat].net if group.net is None else group.net
        amount = signed(net) if hand.status == "done" else ""
        return ShownGroup(group.cards, names[group.seat], f"{label} {amount}".strip())
    several = sum(other.net is not None for other in hand.recap.groups) > 1
    amount = signed(group.net) if several and group.net is not None else ""
    return ShownGroup(group.cards, label, amount, group.making, _stands_for(group))


def _stands_for(group: CardGroup) -> str:
    """Return what the joker is marked with: its suit matters where all the others are of one."""
    if group.joker is None:
        return ""
    suits = {str(card)[1] for card in group.cards if not card.is_joker}
    return group.joker if suits == {group.joker[1]} else group.joker[0]
