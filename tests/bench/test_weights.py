"""Upper limits of the sizes of pages. Sizes do not depend on the machine, so they are tested."""

from pathlib import Path
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.bench.weights import FIRST_VISIT, PARTIAL, after_each_move, first_visit, sit_and_deal
from webapp.engine.games import SOLO
from webapp.web.templating.static_files import serve_compressed


@pytest.fixture(scope="module")
def compressed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the compressed static files."""
    return tmp_path_factory.mktemp("static")


@pytest.fixture
def client(app: Flask, compressed: Path) -> FlaskClient:
    """A test client of the site with static files as ``tefuda serve`` serves them."""
    serve_compressed(app, compressed)
    return app.test_client()


@pytest.mark.parametrize("coding", FIRST_VISIT)
@pytest.mark.parametrize("page", ["/", *(f"/play/{code}" for code in SOLO)])
def test_a_first_visit_is_light_with_everything(client: FlaskClient, page: str, coding: str) -> None:
    for code in SOLO:
        sit_and_deal(client, code)
    weights = first_visit(client, page, coding)
    assert any(address.endswith(".css") or ".css?" in address for address in weights)
    assert any("/js/reveal.js" in address for address in weights)  # imported by a script that another one imports
    assert sum(weights.values()) <= FIRST_VISIT[coding], weights


@pytest.mark.parametrize("code", SOLO)
def test_what_comes_back_after_an_action_weighs_at_most_6_kilobytes(client: FlaskClient, code: str) -> None:
    heavy = [
        (move, size)
        for seed in range(6)
        for move, size in after_each_move(client, code, Random(seed))
        if size > PARTIAL
    ]
    assert heavy == []


def test_texts_travel_compressed_and_pictures_as_they_are(client: FlaskClient) -> None:
    for name, coding in (("css/base.css", "gzip"), ("img/cards.svg", "gzip"), ("img/apple-touch-icon.png", None)):
        with client.get(f"/static/{name}", headers={"Accept-Encoding": "gzip"}) as answer:
            assert answer.headers.get("Content-Encoding") == coding, name
            assert answer.headers["Vary"] == "Accept-Encoding"


def test_a_text_is_left_alone_for_whoever_cannot_unpack_it(client: FlaskClient) -> None:
    for accepted in ("", "identity", "gzip;q=0", "gzip;q=0.0, br;q=0"):
        with client.get("/static/css/base.css", headers={"Accept-Encoding": accepted}) as answer:
            assert "Content-Encoding" not in answer.headers
            assert len(answer.data) == int(answer.headers["Content-Length"])


def test_a_coding_that_is_refused_is_not_what_any_other_stands_for(client: FlaskClient) -> None:
    for path in ("/about", "/static/css/base.css"):
        with client.get(path, headers={"Accept-Encoding": "br;q=0, gzip;q=0, *"}) as answer:
            assert answer.content_encoding is None


def test_a_text_that_has_not_changed_is_not_sent_again(client: FlaskClient) -> None:
    packed = {"Accept-Encoding": "gzip"}
    with client.get("/static/css/base.css", headers=packed) as first:
        mark = first.headers["ETag"]
    with client.get("/static/css/base.css", headers=packed | {"If-None-Match": mark}) as again:
        assert (again.status_code, again.data) == (304, b"")


def test_the_smallest_is_sent_that_can_be_unpacked(client: FlaskClient) -> None:
    weights = {}
    for accepted in ("gzip", "br", "gzip, br", "gzip;q=1, br;q=0"):
        with client.get("/static/css/base.css", headers={"Accept-Encoding": accepted}) as answer:
            weights[accepted] = (answer.headers["Content-Encoding"], len(answer.data))
            assert len(answer.data) == int(answer.headers["Content-Length"])
    assert weights["br"] == weights["gzip, br"] < weights["gzip"]
    assert weights["gzip;q=1, br;q=0"] == weights["gzip"]
