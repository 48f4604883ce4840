"""A fragment consists of parts; the parts that have changed make a fragment, too."""

import pytest
from flask import Flask, g
from jinja2 import Template

from tests.support.parts import plain, room_of
from tests.support.table_players import TablePlayer, betting
from webapp.services.tables.snapshots import snapshot
from webapp.web.push import viewpoint_of_request
from webapp.web.request.preferences import CHOICES, Preferences, preferences
from webapp.web.request.visitor import assume
from webapp.web.table_page import room_of as room_of_table
from webapp.web.templating import parts

ONE = """<!-- x -->
<div id="room">
  <div id="state" data-part="state" data-version="3" data-now="5" data-say="a > b">
  <template data-step="2"><p data-part="said">before</p></template></div>
  <div data-part="bar"><div>one</div><br><svg><use href="#a"/></svg></div>
  <main><section data-part="dock"><form action="/t/ABC/3" hx-post="/t/ABC/3"><input name="x"></form></section>
  <p data-part="said">now</p></main>
</div>
"""


def test_a_room_has_parts() -> None:
    room = room_of(ONE)
    assert room.version == 3
    assert list(room.parts) == ["state", "bar", "dock", "said"]
    assert room.parts["bar"] == '<div data-part="bar"><div>one</div><br><svg><use href="#a"/></svg></div>'
    assert room.parts["said"] == '<p data-part="said">now</p>'


def test_parts_are_compared_without_the_versions_of_their_forms_and_the_time() -> None:
    assert plain('<form class="a" action="/t/ABC/12" hx-post="/t/ABC/12">') == (
        '<form class="a" action="/t/ABC" hx-post="/t/ABC">'
    )
    assert plain('<a href="/t/ABC/12">') == '<a href="/t/ABC/12">'
    assert plain('<i data-version="1" data-now="5">') == '<i data-version="1">'


ROOM = """<div id="room">
  {% call part("state") %}<div data-part="state" data-version="{{ version }}">
  <template data-step="2">{% call part("said") %}<p data-part="said">before</p>{% endcall %}</template></div>{% endcall %}
  {% call part("bar") %}<div data-part="bar">one</div>{% endcall %}
  <main>{% call part("dock") %}
    <section data-part="dock"><form action="/t/ABC/{{ version }}">{% call part("inner") %}<i data-part="inner"></i>
    {%- endcall %}</form></section>{% endcall %}
  {% call part("said") %}<p data-part="said">{{ said }}</p>{% endcall %}</main>
</div>"""


def rendered(version: int, said: str) -> str:
    return Template(ROOM, autoescape=True).render(version=version, said=said, part=parts.part)


def collected(version: int, said: str) -> parts.Room:
    with Flask(__name__).app_context():
        return parts.collect(lambda: rendered(version, said), f"/t/ABC/{version}")


def test_templates_note_what_is_found_in_their_text() -> None:
    with Flask(__name__).app_context():
        found = room_of(rendered(3, "now"))
    assert collected(3, "now").parts == found.parts
    assert list(found.parts) == ["state", "bar", "dock", "said"]


def test_what_was_noted_differs_by_what_it_says_and_not_by_the_version_in_its_forms() -> None:
    first, second = collected(3, "now"), collected(4, "then")
    assert list(room_of(second.swaps(first.marks())).parts) == ["state", "said"]
    assert room_of(second.swaps({})).parts == second.parts
    assert list(room_of(collected(5, "then").swaps(second.marks())).parts) == ["state"]


def test_nothing_is_noted_after_a_template_that_fails() -> None:
    with Flask(__name__).app_context():
        with pytest.raises(ZeroDivisionError):
            parts.collect(lambda: str(1 / 0), "/t/ABC/3")
        assert "room" not in g


def test_every_part_of_a_table_is_noted(app: Flask) -> None:
    """Updates for seats and watchers contain everything that a requested page has."""
    seats = betting(app, 2)
    for visitor in (seats[0], TablePlayer(app.test_client())):
        whole = room_of(visitor.get(f"/t/{seats[0].code}", Accept="text/html").text)
        fragment = visitor.get(f"/t/{seats[0].code}", Accept="text/html", HX_Request="true").text
        found = room_of(fragment)
        with app.test_request_context(f"/t/{seats[0].code}", base_url="http://localhost/"):
            table = snapshot(seats[0].code)
            g.language, g.preferences = "en", preferences()
            assume(None)
            noted = room_of_table(table, None, "http://localhost")
        if visitor is not seats[0]:
            assert {name: plain(part) for name, part in noted.parts.items()} == {
                name: plain(part) for name, part in found.parts.items()
            }
        assert list(noted.parts) == list(found.parts) == list(whole.parts)
        assert fragment.count("data-part=") == 2 * len(found.parts)


def test_the_parts_of_a_table_depend_on_no_other_preferences_than_those_of_a_viewpoint(app: Flask) -> None:
    """Otherwise a view that is rendered once would be sent to people whose pages differ."""
    code = betting(app, 2)[0].code
    texts = dict[object, dict[str, str]]()
    for name, values in CHOICES.items():
        for value in values:
            own = Preferences().having({name: value})
            with app.test_request_context(f"/t/{code}"):
                g.language, g.preferences = "en", own
                assume(None)
                room = room_of_table(snapshot(code), None, "http://localhost")
                viewpoint = viewpoint_of_request(code, None)
            noted = {part: plain(text) for part, text in room.parts.items()}
            assert texts.setdefault(viewpoint, noted) == noted, (name, value)
    assert len(texts) == 1 + 2 + 1, "sound on and off, and no reactions"
