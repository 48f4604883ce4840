"""A fragment is cut into its parts, and what differs of it is a fragment again."""

from webapp.web.templating.parts import plain, room_of

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
