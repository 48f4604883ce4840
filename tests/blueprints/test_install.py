"""Installing the site: the manifest, the service worker, and the offline page."""

import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.player import Player
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
    assert [shortcut["url"] for shortcut in manifest["shortcuts"]] == [*(f"/play/{code}" for code in SOLO), "/me"]


def test_every_icon_and_shortcut_of_the_manifest_is_there(site: Flask) -> None:
    client = site.test_client()
    manifest = json.loads(client.get("/manifest.webmanifest").text)
    places = [icon["src"] for icon in manifest["icons"]] + [shortcut["url"] for shortcut in manifest["shortcuts"]]
    assert statuses(client, places) == {200}
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}


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
    assert "Kaguya" in client.get("/me").text
    page = client.get("/offline")
    assert page.status_code == 200
    assert page.headers["Content-Language"] == "en"
    assert "Kaguya" not in page.text
    assert "Set-Cookie" not in page.headers
