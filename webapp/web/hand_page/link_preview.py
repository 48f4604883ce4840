"""Link previews of hands, shared tables and days: title, description, picture. None tells a card early."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from webapp.engine.cards import parse_cards
from webapp.engine.game import CardGroup
from webapp.services.deals.day_view import Day
from webapp.services.deals.puzzles import Puzzle
from webapp.services.records.finished import Finished
from webapp.services.tables.table_view import TableView
from webapp.web.hand_page.picture_subject import ShownGroup, Subject
from webapp.web.hand_page.picture_text import is_drawable
from webapp.web.i18n.display_names import isolated, names_of
from webapp.web.i18n.messages import say_of
from webapp.web.i18n.review_words import cost, ledger_notes, ledger_sentence
from webapp.web.i18n.translations import gap, language, ngettext, pgettext, use_language
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.unit_words import unit_of_hand
from webapp.web.i18n.vocabulary import capitalised, cards_name, game_name, number, seat_name, signed
from webapp.web.i18n.vocabulary import day as day_name


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
        described.append(ledger_sentence(len(review["decisions"]), review["cost"], review["luck"], unit_of_hand(hand)))
    return LinkText(title, gap().join(described))


def subject_of(hand: Finished, review: Mapping[str, Any] | None = None, code: str = "en") -> Subject:
    """Return the content of a hand's picture, which depends on its address alone: that may name a language.

    ``review`` is the one that is stored; what it comes to is small print.
    """
    return _in_language(code, lambda: _subject_of(hand, review))


def _subject_of(hand: Finished, review: Mapping[str, Any] | None) -> Subject:
    names = {
        place: name if is_drawable(name, language()) else seat_name(hand.seats[place].number)
        for place, name in names_of(hand).items()
    }
    shown = [_shown(hand, group, names) for group in hand.recap.groups]
    if len(shown) > MOST_WITH_AMOUNTS:
        shown = [
            replace(group, caption=_drawable(f"{group.amount} {group.caption}".strip()), amount="") for group in shown
        ]
    groups = tuple(replace(group, amount=_drawable(group.amount)) for group in shown)
    practice = (_("Practice, without chips"),) if hand.practice else ()
    title = "\n".join((_headline(hand, names), *_remarks(hand, names), *practice))
    small = " · ".join(_small_print(hand, review, names))
    return Subject(groups, title, "" if hand.seats else _drawable(_amount(hand)), _drawable(small))


def subject_of_puzzle(puzzle: Puzzle, code: str = "en") -> Subject:
    """Return the content of the picture of a decision: the open cards before it, and a question."""
    cards = puzzle.hand or puzzle.view.open_cards
    return _in_language(code, lambda: Subject((ShownGroup(cards[:7]),), _("What would you do?"), ""))


def _in_language(code: str, content: Callable[[], Subject]) -> Subject:
    """Return the content of a picture in a language; in English if the fonts do not have all of its letters."""
    with use_language(code):
        subject = replace(content(), language=code)
    if code == "en" or is_drawable(subject.words, code):
        return subject
    return _in_language("en", content)


def _small_print(hand: Finished, review: Mapping[str, Any] | None, names: Mapping[int, str]) -> Iterator[str]:
    """Yield how it was played, of a round what the decisions of each seat cost, and that there was help."""
    if review and hand.seats:
        each = (f"{names[seat['seat']]} {cost(seat['cost'])}" for seat in review["seats"])
        yield _("Chips given away by decisions: %(costs)s", costs=pgettext("between cards", ", ").join(each))
    elif review:
        yield from ledger_notes(review["cost"], review["luck"], unit_of_hand(hand))
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
    return ShownGroup(group.cards, label, amount, group.making, _stand_ins(group))


def _stand_ins(group: CardGroup) -> tuple[str, ...]:
    """Return what each wild card is marked with, "" for others: its suit matters where all the others are of one."""
    wild = {card for card, letters in zip(group.cards, group.stand_ins, strict=False) if letters}
    suits = {str(card)[1] for card in group.cards if card not in wild}
    return tuple("" if not letters else letters if suits == {letters[1]} else letters[0] for letters in group.stand_ins)


_CARDS: Final = parse_cards("9h As Jd Kc 7s")
MOST_WITH_AMOUNTS: Final = 6
"""Groups of cards with their chips on a line of their own; of more, the cards would be too small."""


def invitation_text(table: TableView) -> LinkText:
    """Return the title and the description of a table's link: no more than the table shows to everybody."""
    title = _("%(sentence)s: %(game)s", sentence=_call(table, isolated(_host(table))), game=game_name(table.game))
    return LinkText(title, gap().join((_seats(table), _stakes(table), _("No account, no app, no money."))))


def invitation_subject(table: TableView, code: str = "en") -> Subject:
    """Return the content of a table's picture, with a name if the fonts have its letters."""
    return _in_language(code, lambda: _invitation_subject(table))


def _invitation_subject(table: TableView) -> Subject:
    host = _host(table)
    call = _call(table, host if is_drawable(host, language()) else "")
    game = _("%(sentence)s.", sentence=game_name(table.game))
    return Subject((ShownGroup(_CARDS),), f"{call}\n{game}{gap()}{_stakes(table)}")


def _host(table: TableView) -> str:
    """Return the name of the first person at the table who has one; empty if nobody has."""
    seated = (seat for seat in table.seats if not (seat.bot or seat.left or seat.gone))
    return next((seat.name for seat in seated if seat.name), "")


def _call(table: TableView, host: str) -> str:
    if table.phase == "closed":
        return _("This table is closed")
    if not table.free:
        return _("%(name)s plays, and you may watch", name=host) if host else _("All seats are taken; you may watch")
    return _("%(name)s keeps you a seat", name=host) if host else _("A seat is free for you")


def _seats(table: TableView) -> str:
    free = len(table.free)
    return ngettext("%(num)s seat is free.", "%(num)s seats are free.", free) % {"num": free}


def _stakes(table: TableView) -> str:
    least, most = number(table.rules.min_bet), number(table.rules.max_bet)
    return _("Bets of %(least)s to %(most)s chips.", least=least, most=most)


_BACKS: Final = ShownGroup((None,) * 5)


def day_text(day: Day) -> LinkText:
    """Return the title and the description of a day's link."""
    if day.is_over:
        title = _("Five cards, one day: what would you have kept?")
    else:
        title = _("Five cards, one day: what would you keep?")
    of_day = _("Daily deal of %(day)s", day=day_name(day.day))
    about = _("The same cards for everybody, for one day. One try, for points, and no account.")
    return LinkText(title, gap().join((_("%(sentence)s.", sentence=of_day), about)))


def day_subject(day: str, code: str = "en") -> Subject:
    """Return the content of a day's picture: backs, and the same question during the day and after it."""
    return _in_language(code, lambda: _day_subject(day))


def _day_subject(day: str) -> Subject:
    return Subject((_BACKS,), f"{_('Five cards, one day: what would you keep?')}\n{day_name(day)}")
