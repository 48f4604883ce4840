"""A fragment consists of parts; the parts that have changed make a fragment, too."""

import pytest
from flask import Flask, g
from jinja2 import Template

from tests.support.parts import plain, room_of
from tests.support.table_players import TablePlayer, betting
from webapp.services.tables.reading.snapshots import snapshot
from webapp.web.request.preferences import preferences
from webapp.web.request.visitor import assume
from webapp.web.table_page import room_of as room_of_table
from webapp.web.templating import parts

ONE = """<!-- x -->
<div id="room" data-version="3" data-say="a > b">
  <div data-part="bar"><div>one</div><br><svg><use href="#a"/></svg></div>
  <main><section data-part="dock"><form action="/t/ABC/3"><input name="x"></form></section>
  <p data-part="said">now</p></main>
  <template data-step="2"><p data-part="said">before</p></template>
</div>
"""


def test_a_room_has_its_tag_its_parts_and_its_steps() -> None:
    room = room_of(ONE)
    assert room.tag == '<div id="room" data-version="3" data-say="a > b">'
    assert list(room.parts) == ["bar", "dock", "said"]
    assert room.parts["bar"] == '<div data-part="bar"><div>one</div><br><svg><use href="#a"/></svg></div>'
    assert room.parts["said"] == '<p data-part="said">now</p>'
    assert room.steps == ('<template data-step="2"><p data-part="said">before</p></template>',)


def test_only_what_differs_is_left_and_a_version_in_an_address_is_no_difference() -> None:
    later = ONE.replace("/3", "/4").replace('"3"', '"4"').replace("now", "then")
    changed = room_of(room_of(later).without(room_of(ONE).marks()))
    assert list(changed.parts) == ["said"]
    assert changed.tag.startswith('<div id="room" data-version="4"')
    assert changed.steps == room_of(ONE).steps
    assert list(room_of(room_of(later).without({})).parts) == ["bar", "dock", "said"]


def test_parts_are_compared_without_the_versions_of_their_forms() -> None:
    assert plain('<form class="a" action="/t/ABC/12">') == '<form class="a" action="/t/ABC">'
    assert plain('<a href="/t/ABC/12">') == '<a href="/t/ABC/12">'


ROOM = """{% call room_tag() %}<div id="room" data-version="{{ version }}">{% endcall %}
  {% call part("bar") %}<div data-part="bar">one</div>{% endcall %}
  <main>{% call part("dock") %}
    <section data-part="dock"><form action="/t/ABC/{{ version }}">{% call part("inner") %}<i data-part="inner"></i>
    {%- endcall %}</form></section>{% endcall %}
  {% call part("said") %}<p data-part="said">{{ said }}</p>{% endcall %}</main>
  {% call room_step() %}<template data-step="2">{% call part("said") %}<p data-part="said">before</p>{% endcall %}</template>{% endcall %}
</div>"""


def rendered(version: int, said: str) -> str:
    calls = {"part": parts.part, "room_tag": parts.room_tag, "room_step": parts.room_step}
    return Template(ROOM, autoescape=True).render(version=version, said=said, **calls)


def collected(version: int, said: str) -> parts.Room:
    with Flask(__name__).app_context():
        return parts.collect(lambda: rendered(version, said), f"/t/ABC/{version}")[1]


def test_templates_note_what_is_found_in_their_text() -> None:
    room, found = collected(3, "now"), room_of(rendered_alone(3, "now"))
    assert (room.tag, room.parts, tuple(room.steps)) == (found.tag, found.parts, found.steps)
    assert list(room.parts) == ["bar", "dock", "said"]


def rendered_alone(version: int, said: str) -> str:
    """Return the text when no parts are collected."""
    with Flask(__name__).app_context():
        return rendered(version, said)


def test_what_was_noted_differs_by_what_it_says_and_not_by_its_version() -> None:
    first, second = collected(3, "now"), collected(4, "then")
    changed = room_of(second.without(first.marks()))
    assert list(changed.parts) == ["said"]
    assert changed.tag == '<div id="room" data-version="4">'
    assert changed.steps == tuple(second.steps)
    assert room_of(second.without({})).parts == second.parts
    assert list(room_of(collected(5, "then").without(second.marks())).parts) == []


def test_nothing_is_noted_after_a_template_that_fails() -> None:
    with Flask(__name__).app_context():
        with pytest.raises(ZeroDivisionError):
            parts.collect(lambda: str(1 / 0), "/t/ABC/3")
        assert "room" not in g


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_every_part_of_a_table_is_noted(app: Flask) -> None:
    """Updates for seats and watchers contain everything that a requested page has."""
    seats = betting(app, 2)
    for visitor in (seats[0], TablePlayer(app.test_client())):
        text = visitor.get(f"/t/{seats[0].code}", Accept="text/html", HX_Request="true").text
        whole = room_of(text)
        with app.test_request_context(
            f"/t/{seats[0].code}", base_url="http://localhost/", headers={"HX-Request": "true"}
        ):
            table = snapshot(seats[0].code)
            g.language, g.preferences = "en", preferences()
            assume(None)
            noted = room_of_table(table, None, "http://localhost")
        if visitor is not seats[0]:
            assert noted.parts == whole.parts
            assert noted.tag == whole.tag
        assert list(noted.parts) == list(whole.parts)
        assert text.count("data-part=") == len(whole.parts)
