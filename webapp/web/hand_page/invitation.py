"""Link preview of a shared table: title, description, and what the picture shows."""

from typing import Final

from webapp.engine.cards import parse_cards
from webapp.services.tables.table_view import TableView
from webapp.web.hand_page.link_preview import LinkText
from webapp.web.hand_page.picture.subject import ShownGroup, Subject
from webapp.web.hand_page.picture.text_layout import is_drawable
from webapp.web.i18n.display_names import isolated
from webapp.web.i18n.translations import gap, ngettext, use_language
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.vocabulary import game_name, number

_CARDS: Final = parse_cards("9h As Jd Kc 7s")


def invitation_text(table: TableView) -> LinkText:
    """Return the title and the description of a table's link: no more than the table shows to everybody."""
    title = _("%(sentence)s: %(game)s", sentence=_call(table, isolated(_host(table))), game=game_name(table.game))
    return LinkText(title, gap().join((_seats(table), _stakes(table), _("No account, no app, no money."))))


def invitation_subject(table: TableView) -> Subject:
    """Return the content of a table's picture, in English, with a name if the font has its letters."""
    with use_language("en"):
        host = _host(table)
        title = f"{_call(table, host if is_drawable(host) else '')}\n{game_name(table.game)}. {_stakes(table)}"
    return Subject((ShownGroup(_CARDS),), title)


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
