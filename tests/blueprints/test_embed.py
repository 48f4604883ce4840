"""A finished hand on pages of other sites: its frame, and the answers of oEmbed.

``REQUIRED`` are the fields of the standard (https://oembed.com, 2.3.4), with those of the type that is answered.
"""

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from random import Random
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.clock import Clock, run_timer
from tests.support.cookies import COOKIE, cookie_of, send_from_now_on, signed
from tests.support.daily_mornings import DAY, MORNING
from tests.support.moves import CUT, dealt, every_game, finished, picking
from tests.support.player import Answer, Json, Player
from tests.support.table_players import play_out, playing

CSP = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors *"
)
REQUIRED = {"type": str, "version": str, "html": str, "width": int, "height": int}
OPTIONAL = {
    "title": str,
    "author_name": str,
    "provider_name": str,
    "provider_url": str,
    "cache_age": int,
    "thumbnail_url": str,
    "thumbnail_width": int,
    "thumbnail_height": int,
}
CARD = re.compile(r"#c-(\w\w)\b")
HTML = "text/html"
HERE = "http://localhost"


class Frame(HTMLParser):
    """The one frame in the HTML of an answer."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        ((tag, self.attributes),) = self.found
        assert tag == "iframe"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def embedded(player: Player, key: str, step: int | str | None = None, **headers: str) -> Answer:
    return player.get(f"/h/{key}/embed" + ("" if step is None else f"?step={step}"), Accept=HTML, **headers)


def oembed(player: Player, url: str, **fields: object) -> Answer:
    more = "".join(f"&{name}={value}" for name, value in fields.items())
    return player.get(f"/oembed?url={quote(url, safe='')}{more}")


def of_oembed(player: Player, url: str, **fields: object) -> Json:
    """Return an answer that the standard allows."""
    answer = oembed(player, url, **fields)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    found: Json = answer.json
    assert (found["type"], found["version"]) == ("rich", "1.0")
    for name, kind in REQUIRED.items():
        assert type(found[name]) is kind, name
    for name in found.keys() - REQUIRED.keys():
        assert type(found[name]) is OPTIONAL[name], name
    assert len({f"thumbnail_{each}" for each in ("url", "width", "height")} & found.keys()) in (0, 3)
    return found


def shown(page: str) -> set[str]:
    """Return the cards on the felt of a page."""
    felt = page[page.index('<section class="finish__felt') : page.index('class="finish__share')]
    return set(CARD.findall(felt))


def practised(player: Player) -> str:
    """Play the cards of a finished hand again; return the key of that hand."""
    dealt(player)
    player.post(f"/h/{finished(player)}/again")
    player.board = player.answer.json
    player.deal(CUT)
    return finished(player)


def round_of(app: Flask) -> str:
    visitors = playing(app)
    play_out(visitors)
    key: str = visitors[0].see()["last"].removeprefix("/h/")
    return key


@pytest.fixture
def keys(app: Flask, alice: Player) -> dict[str, str]:
    """Keys of a finished hand of every kind."""
    found = {}
    for game in ("poker", "joker", "blackjack"):
        dealt(alice, game=game)
        found[game] = finished(alice, Random(3))
    return {**found, "practice": practised(alice), "round": round_of(app)}


def test_any_site_may_show_a_finished_hand_which_runs_no_script_and_sends_no_form(
    keys: dict[str, str], charlie: Player
) -> None:
    for kind, key in keys.items():
        answer = embedded(charlie, key)
        assert answer.status == 200, kind
        assert answer.headers["content-security-policy"] == CSP
        assert "x-frame-options" not in answer.headers
        assert not re.findall(r"<(?:script|form|button|input)\b|\bhx-|\bon\w+=|javascript:", answer.text), kind
        assert len(answer.text) < 64_000, kind


def test_links_of_a_frame_lead_to_its_other_steps_or_out_of_it(app: Flask, alice: Player, charlie: Player) -> None:
    """A page of the site would refuse to be shown in the frame. The first hand that is doubled has a link of its own."""
    picking(alice)
    for key in (finished(alice), round_of(app)):
        steps = len(charlie.get(f"/h/{key}.json").json["moves"]) + 1
        for step in (None, *range(steps)):
            for link in re.findall(r"<a [^>]*>", embedded(charlie, key, step).text):
                assert f'href="/h/{key}/embed?' in link or 'target="_blank"' in link, link


def test_no_cookie_is_read_or_set_there(app: Flask, keys: dict[str, str], alice: Player) -> None:
    """The answer to somebody with cookies of any kind is that to somebody with none, byte by byte."""
    stranger = Player(app.test_client())
    others = (cookie_of(alice), "no.cookie.of_ours", signed(app, {"player": "gone"}))
    for path in (*(f"/h/{key}/embed" for key in keys.values()), f"/oembed?url={HERE}/h/{keys['poker']}", "/h/x/embed"):
        expected = stranger.get(path, Accept=HTML)
        for cookie in others:
            visitor = Player(app.test_client())
            send_from_now_on(visitor, cookie)
            visitor.line.client.set_cookie("prefs", "language=ja&theme=dark&four=1&text=200")  # type: ignore[union-attr]
            visitor.line.client.set_cookie(f"{COOKIE}-1", cookie)  # type: ignore[union-attr]
            answer = visitor.get(path, Accept=HTML)
            assert (answer.status, answer.text) == (expected.status, expected.text)
            said = {name: value for name, value in answer.headers.items() if name != "x-request-id"}
            assert "cookie" not in f"{said} {answer.text}".lower(), path
            assert cookie not in f"{said} {answer.text}"


def test_a_cookie_from_before_https_is_not_renamed_there(database_url: str, tmp_path) -> None:
    app = make_app(database_url, tmp_path, TEFUDA_PUBLIC_URL="https://cards.example")
    client = app.test_client()
    client.set_cookie(COOKIE, signed(app, {"player": "x"}), domain="cards.example")
    for path in ("/h/nobody/embed", "/oembed?url=https://cards.example/h/nobody"):
        answer = client.get(path, base_url="https://cards.example")
        assert (answer.status_code, "Set-Cookie" in answer.headers) == (404, False)
    assert "Set-Cookie" in client.get("/", base_url="https://cards.example").headers
    close(app)


def test_all_other_pages_refuse_to_be_framed(app: Flask, keys: dict[str, str], alice: Player) -> None:
    names = {"key": keys["poker"], "code": "poker", "hand": keys["poker"], "day": "2026-01-01", "step": "0"}
    framed = set()
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint != "static":
            path = re.sub(r"<(?:[^<>:]*:)?(\w+)>", lambda gap: names.get(gap[1], "x"), rule.rule)
            with alice.line.client.get(path) as answer:  # type: ignore[union-attr]
                if "frame-ancestors 'none'" not in answer.headers["Content-Security-Policy"]:
                    framed.add(rule.endpoint)
    assert framed == {"embed.show"}


@every_game
def test_a_hand_that_is_not_over_cannot_be_embedded_by_anybody(alice: Player, game: str) -> None:
    dealt(alice, game=game)
    while alice.over:
        dealt(alice, game=game)
    answer = embedded(alice, alice.hand)
    assert answer.status == 404
    assert not CARD.findall(answer.text)
    assert answer.headers["content-security-policy"] == CSP, "the frame says why it is empty"
    assert oembed(alice, f"{HERE}/h/{alice.hand}").status == 404


def test_todays_deal_cannot_be_embedded_before_the_day_is_over(app: Flask, clock: Clock, alice: Player) -> None:
    clock.now = MORNING
    run_timer(app, "daily deals")
    alice.post("/daily/poker")
    alice.board, alice.game = alice.answer.json, "poker"
    alice.deal(CUT)
    key = finished(alice)
    page = alice.get(f"/h/{key}", Accept=HTML)
    assert (page.status, "oembed" in page.text, "/embed" in page.text) == (200, False, False)
    assert embedded(alice, key).status == oembed(alice, f"{HERE}/h/{key}").status == 404
    clock.move(DAY)
    run_timer(app, "daily deals")
    assert "oembed" in alice.get(f"/h/{key}", Accept=HTML).text
    assert embedded(alice, key).status == oembed(alice, f"{HERE}/h/{key}").status == 200


def test_each_step_shows_the_cards_of_the_page_at_that_step_and_holds_no_other(
    keys: dict[str, str], charlie: Player
) -> None:
    """A frame holds the art of the cards it shows: that of a card to come would tell it."""
    for kind, key in keys.items():
        last = len(charlie.get(f"/h/{key}.json").json["moves"])
        for step in range(last + 1):
            page, frame = charlie.get(f"/h/{key}?step={step}", Accept=HTML).text, embedded(charlie, key, step).text
            in_frame = shown(frame) | set(re.findall(r'id="c-(\w\w)"', frame))
            assert shown(frame) == in_frame == shown(page) - {"ba"}, (kind, step)
            assert f"/h/{key}/embed?step={min(step + 1, last)}#" in frame
        assert "/static/" not in "".join(re.findall(r'<use href="([^"]*)"', frame)), "not of another file"


def test_what_it_says_is_in_the_language_of_the_browser(keys: dict[str, str], charlie: Player) -> None:
    found = {code: embedded(charlie, keys["poker"], Accept_Language=code) for code in ("en", "ja", "zh-TW")}
    assert [re.findall(r'lang="([^"]+)"', each.text)[0] for each in found.values()] == ["en", "ja", "zh-Hant"]
    assert all(each.headers["vary"].startswith("Accept-Language") for each in found.values())


def test_the_page_of_a_hand_names_its_oembed_answer_and_the_html_that_this_gives(
    keys: dict[str, str], charlie: Player
) -> None:
    for kind, key in keys.items():
        page = charlie.get(f"/h/{key}", Accept=HTML).text
        (link,) = re.findall(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)"', page)
        parts = urlsplit(unescape(link))
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{HERE}/oembed"
        (url,) = parse_qs(parts.query)["url"]
        found = of_oembed(charlie, url)
        (offered,) = re.findall(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
        assert unescape(offered) == found["html"], kind
        frame = Frame(found["html"]).attributes
        assert frame["title"] == found["title"]
        assert (frame["width"], frame["height"]) == (str(found["width"]), str(found["height"]))
        assert charlie.get(str(frame["src"]), Accept=HTML).headers["content-security-policy"] == CSP
        with charlie.line.client.get(found["thumbnail_url"]) as picture:  # type: ignore[union-attr]
            assert picture.mimetype == "image/png"


def test_an_answer_of_oembed_keeps_to_the_room_there_is(keys: dict[str, str], charlie: Player) -> None:
    url = f"{HERE}/h/{keys['poker']}"
    for most in ({}, {"maxwidth": 320}, {"maxheight": 200}, {"maxwidth": 300, "maxheight": 4000}, {"maxwidth": ""}):
        found = of_oembed(charlie, url, **most)
        for side in ("width", "height"):
            limit = most.get(f"max{side}") or 10_000
            assert 0 < found[side] <= limit
            assert found.get(f"thumbnail_{side}", 0) <= limit
        frame = Frame(found["html"]).attributes
        assert (frame["width"], frame["height"]) == (str(found["width"]), str(found["height"]))
    for wrong in ("wide", "-1", "1.5", "9" * 40):
        assert oembed(charlie, url, maxwidth=wrong).status == 422


def other_addresses(key: str) -> Iterator[str]:
    yield from (
        "",
        "x",
        "//",
        "http://[",
        f"/h/{key}",
        f"{HERE}",
        f"{HERE}/",
        f"{HERE}/rules/poker",
        f"{HERE}/h/nobody",
    )
    yield from (f"http://elsewhere.example/h/{key}", f"{HERE}.example/h/{key}", f"{HERE}:81/h/{key}")
    yield from (f"ftp://localhost/h/{key}", f"{HERE}/h/{key}.png", f"{HERE}/h/{key}/again", f"{HERE}/h/{key}?ask=0")


def test_what_is_not_a_hand_of_this_site_is_not_there(keys: dict[str, str], charlie: Player) -> None:
    for url in other_addresses(keys["poker"]):
        assert oembed(charlie, url).status == 404, url
    assert charlie.get("/oembed").status == 404


def test_a_hand_is_known_by_the_addresses_that_people_copy(keys: dict[str, str], charlie: Player) -> None:
    key = keys["poker"]
    of_the_page = of_oembed(charlie, f"{HERE}/h/{key}")
    for url in (f"https://localhost/h/{key}", f"{HERE}/h/{key}#main", f"{HERE}/h/{key}/embed"):
        assert of_oembed(charlie, url) == of_the_page, url
    at_a_step = of_oembed(charlie, f"{HERE}/h/{key}?step=0")
    assert Frame(at_a_step["html"]).attributes["src"] == f"{HERE}/h/{key}/embed?step=0"


def test_only_json_is_answered(keys: dict[str, str], charlie: Player) -> None:
    url = f"{HERE}/h/{keys['poker']}"
    assert of_oembed(charlie, url, format="json") == of_oembed(charlie, url)
    assert oembed(charlie, url, format="xml").status == 501


def test_a_frame_is_listed_as_a_part_of_the_page_that_shows_it_alone(keys: dict[str, str], charlie: Player) -> None:
    assert embedded(charlie, keys["poker"]).headers["x-robots-tag"] == "noindex, indexifembedded"
    assert charlie.get(f"/h/{keys['poker']}", Accept=HTML).headers["x-robots-tag"] == "noindex"
