"""Installing the site: the manifest, the service worker, and the offline page."""

import json
import re
from urllib.robotparser import RobotFileParser

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.clock import run_timer
from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.table_players import betting
from webapp.engine.games import SOLO
from webapp.web.languages import LANGUAGES


def statuses(client: FlaskClient, places: list[str]) -> set[int]:
    """Return the statuses of responses to these addresses."""
    answered = set()
    for place in places:
        with client.get(place, follow_redirects=True) as answer:
            answered.add(answer.status_code)
    return answered


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_the_manifest_is_in_the_language_of_the_visitor(site: Flask, language) -> None:
    answer = site.test_client().get("/manifest.webmanifest", headers={"Accept-Language": language.tag})
    manifest = json.loads(answer.text)
    assert answer.mimetype == "application/manifest+json"
    assert manifest["lang"] == language.tag
    shortcuts = [shortcut["url"] for shortcut in manifest["shortcuts"]]
    assert shortcuts == [*(f"/play/{code}" for code in SOLO), "/tables", "/daily", "/me"]


def test_every_icon_and_shortcut_of_the_manifest_is_there(site: Flask) -> None:
    run_timer(site, "daily deals")
    client = site.test_client()
    manifest = json.loads(client.get("/manifest.webmanifest").text)
    places = [icon["src"] for icon in manifest["icons"]] + [shortcut["url"] for shortcut in manifest["shortcuts"]]
    assert statuses(client, places) == {200}
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}


def test_the_screenshots_of_the_manifest_are_there_and_as_large_as_it_says(site: Flask) -> None:
    client = site.test_client()
    manifest = json.loads(client.get("/manifest.webmanifest", headers={"Accept-Language": "ja"}).text)
    shown = {each["form_factor"]: each for each in manifest["screenshots"]}
    assert set(shown) == {"narrow", "wide"}
    assert {each["label"] for each in shown.values()} == {manifest["name"]}
    for each in shown.values():
        with client.get(each["src"]) as answer:
            assert (answer.status_code, answer.mimetype) == (200, each["type"])
            assert answer.data[8:16] == b"WEBPVP8X"
            width, height = (1 + int.from_bytes(answer.data[at : at + 3], "little") for at in (24, 27))
        assert each["sizes"] == f"{width}x{height}"
    assert not any(each["src"] in client.get("/").text for each in shown.values())


def test_the_service_worker_keeps_nothing_but_static_files_and_the_page_without_a_connection(site: Flask) -> None:
    client = site.test_client()
    answer = client.get("/service-worker.js")
    files, *kept = re.findall(r'"(/[^"]*)"', answer.text)
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert {place for place in kept if not place.startswith(files)} == {"/offline"}
    assert statuses(client, kept) == {200}


def test_the_page_without_a_connection_shows_nothing_of_a_player(site: Flask) -> None:
    client = site.test_client()
    Player(client).post("/settings", [("name", "Kaguya")])
    assert "Kaguya" in client.get("/me/settings").text
    page = client.get("/offline")
    assert page.status_code == 200
    assert page.headers["Content-Language"] == "en"
    assert "Kaguya" not in page.text
    assert "Set-Cookie" not in page.headers


@pytest.mark.parametrize("path", ["/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"])
def test_icons_are_where_they_are_looked_for_first(site: Flask, path: str) -> None:
    with site.test_client().get(path) as answer:
        assert (answer.status_code, answer.mimetype) == (200, "image/png")
        assert answer.data.startswith(b"\x89PNG")
        assert "public" in answer.headers["Cache-Control"]
        assert "Set-Cookie" not in answer.headers


def test_crawlers_are_asked_to_stay_away_from_what_is_computed(site: Flask) -> None:
    robots = RobotFileParser()
    answer = site.test_client().get("/robots.txt")
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    robots.parse(answer.text.splitlines())
    for path in ("/odds/poker?cards=x", "/lab/spot/poker.json", "/drill/blackjack?spot=x", "/me", "/me/export"):
        assert not robots.can_fetch("Anybot", path), path
    for path in ("/", "/rules/poker", "/fair", "/h/abcdefghij", "/t/ABCDEF", "/static/img/favicon.svg"):
        assert robots.can_fetch("Anybot", path), path


def test_nothing_that_belongs_to_somebody_is_listed_by_search_engines(app: Flask) -> None:
    """All routes with a key or code of somebody's are asked, and those of the site itself."""
    table, client = betting(app)[0], app.test_client()
    visitor = Player(client)
    dealt(visitor)
    hand, paths = finished(visitor), {rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    words = {"key": hand, "code": table.code, "hand": hand, "step": "0", "part": "first", "day": "2026-01-01"}
    for path in paths:
        with client.get(_filled(path, words)) as answer:
            is_somebodys = path.startswith(("/t/", "/h/", "/c/", "/me", "/lab/<key>", "/play/<code>/<hand>"))
            assert answer.headers.get("X-Robots-Tag", "").startswith("noindex") == is_somebodys, path


def _filled(path: str, words: dict[str, str]) -> str:
    if not path.startswith("/t/"):
        words = {**words, "code": "poker"}
    return re.sub(r"<(?:[^<>:]*:)?(\w+)>", lambda gap: words.get(gap[1], "x"), path)
