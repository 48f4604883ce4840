"""Link preview of the daily deals of a day, for people who have not played them: nothing of it depends on the cards."""

from typing import Final

from webapp.services.deals.day_view import Day
from webapp.web.hand_page.link_preview import LinkText
from webapp.web.hand_page.picture.subject import ShownGroup, Subject
from webapp.web.i18n.translations import gap, use_language
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.vocabulary import day as day_name

_BACKS: Final = ShownGroup((None,) * 5)


def day_text(day: Day) -> LinkText:
    """Return the title and the description of a day's link."""
    if day.is_over:
        title = _("Five cards, one day: what would you have kept?")
    else:
        title = _("Five cards, one day: what would you keep?")
    of_day = _("Daily deal of %(day)s", day=day_name(day.day))
    about = _("The same cards for everybody, for one day. One try, no chips, no account.")
    return LinkText(title, gap().join((_("%(sentence)s.", sentence=of_day), about)))


def day_subject(day: str) -> Subject:
    """Return the content of a day's picture, in English: backs, and the same question during the day and after it."""
    with use_language("en"):
        question = _("Five cards, one day: what would you keep?")
        return Subject((_BACKS,), f"{question}\n{day_name(day)}")
