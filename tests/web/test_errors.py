"""Every error is a page, a fragment or JSON, in the player's language, with the right status."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS, headers
from tests.support.app import close, make_app
from tests.support.databases import on_both
from tests.support.languages import CODES, TAGS
from tests.support.moves import dealt
from tests.support.player import Answer, Player
from tests.support.rows import findings, rows
from webapp.engine.games import WORDS
from webapp.services import purses
from webapp.services.solo import play as play_module
from webapp.services.solo import reading as reading_module
from webapp.web import errors
from webapp.web.i18n.refusals import REFUSALS, STATUSES, refusal_of, sentence_of


def is_a(form: str, answer: Answer) -> bool:
    kind = answer.headers["content-type"]
    if form == "json":
        return kind == "application/json" and set(answer.json) >= {"error", "message"}
    whole = "<html" in answer.text
    return kind == "text/html; charset=utf-8" and whole == (form == "page") and 'id="room"' in answer.text


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "path", ["/nothing", "/play", "/play/poker/", "/h/", "/h/x/y", "/static/nothing.css", "/%00", "/札"]
)
def test_nothing_there_is_404(visitor: Player, path: str, form: str) -> None:
    answer = visitor.get(path, **FORMS[form])
    assert answer.status == 404
    assert is_a(form, answer)
    assert "There is nothing here." in answer.text


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/"), ("DELETE", "/me"), ("GET", "/settings"), ("GET", "/afresh"), ("POST", "/h/x")]
)
def test_the_wrong_method_is_405_and_says_which_are_right(visitor: Player, method: str, path: str, form: str) -> None:
    answer = visitor.line.client.open(path, method=method, headers=headers(form))
    assert answer.status_code == 405
    assert answer.headers["Allow"]
    assert "This address does not take that kind of request." in answer.get_data(as_text=True)


@pytest.fixture
def strict(tmp_path: Path, blank_sqlite: Path) -> Iterator[Flask]:
    """An app with rate limits."""
    app = make_app(f"sqlite:///{blank_sqlite}", tmp_path, TEFUDA_RATE_LIMITS="on")
    yield app
    close(app)


@pytest.mark.parametrize("form", FORMS)
def test_too_many_requests_are_429_and_say_when_to_come_back(strict: Flask, form: str) -> None:
    hasty = Player(strict.test_client())
    for _ in range(60):
        assert hasty.get("/h/nothing.png").status == 404
    answer = hasty.get("/h/nothing.png", **FORMS[form])
    assert answer.status == 429
    assert is_a(form, answer)
    assert "Too many requests. Wait a moment; your hand is safe." in answer.text
    assert 0 < int(answer.headers["retry-after"]) <= 61
    assert hasty.get("/healthz").status == 200


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("where", ["/play/poker", "act"])
def test_a_failure_is_500_with_a_reference_that_is_also_in_the_log(
    visitor: Player, monkeypatch: pytest.MonkeyPatch, form: str, where: str
) -> None:
    dealt(visitor)
    secret = visitor.board["view"]["hand"][0]

    def fail(*_: object) -> None:
        raise RuntimeError(f"what nobody should read: {secret} Qh")

    log: list[dict[str, object]] = []
    for module in (play_module, reading_module):
        monkeypatch.setattr(module, "state_of", fail)
    monkeypatch.setattr(
        errors, "log", SimpleNamespace(error=lambda event, **facts: log.append({"event": event, **facts}))
    )
    if where == "act":
        answer = visitor.post(f"/play/poker/{visitor.hand}/0", [("verb", "hold")], **FORMS[form])
    else:
        answer = visitor.get(where, **FORMS[form])
    assert answer.status == 500
    assert is_a(form, answer)
    assert "Something broke on our side. Your hand is as it was before." in answer.text
    (failure,) = log
    assert (failure["event"], failure["error"]) == ("failure", "RuntimeError")
    assert re.fullmatch("[0-9a-f]{8}", str(failure["reference"]))
    assert str(failure["reference"]) in answer.text
    assert any("fail" in place for place in failure["places"])
    for text in (answer.text, repr(failure)):
        assert "what nobody should read" not in text
        assert "Traceback" not in text
    monkeypatch.undo()
    assert visitor.act("hold")["step"] == 1, "the hand is as it was before"


@on_both
def test_a_failure_in_the_middle_of_a_move_leaves_nothing_behind(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt(alice)
    before = rows(app)

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError

    for module, name in ((play_module, "update_if_unchanged"), (purses, "charge"), (play_module, "board_of")):
        with monkeypatch.context() as broken:
            broken.setattr(module, name, fail)
            assert alice.post(f"/play/poker/{alice.hand}/0", [("verb", "hold")]).status == 500
        assert rows(app) == before
    assert alice.act("hold")["note"] is None
    assert findings(app) == []


# ------------------------------------------------------------------------------------------------ languages


def refusals_of(player: Player, language: str, form: str) -> dict[str, Answer]:
    """Return one error of each kind, requested in this language."""
    dealt(player)
    play, asked = f"/play/poker/{player.hand}", {**FORMS[form], "Accept_Language": language}
    return {
        "404": player.get("/nothing", **asked),
        "405": player.get("/settings", **asked),
        "hand-not-found": player.get("/h/nothing", **asked),
        "unknown-game": player.get("/play/bridge", **asked),
        "bad-setup": player.get("/rules/poker?table=x", **asked),
        "illegal-hold": player.post(f"{play}/0", [("verb", "hold"), ("arg", "6")], **asked),
        "step-ahead": player.post(f"{play}/9", [("verb", "hold")], **asked),
        "bad-step": player.post(f"{play}/x", [("verb", "hold")], **asked),
        "bad-name": player.post("/settings", [("name", "x" * 25)], **asked),
        "403": player.post("/afresh", **{**asked, "Sec_Fetch_Site": "cross-site"}),
        "413": player.post(f"{play}/0", [("verb", "x" * 20_000)], **asked),
    }


@pytest.mark.parametrize("language", CODES)
def test_every_no_is_in_the_players_language(site: Flask, visitor: Player, language: str) -> None:
    english = refusals_of(Player(site.test_client()), "en", "json")
    spoken = refusals_of(visitor, language, "json")
    pages = refusals_of(visitor, language, "page")
    for kind, answer in spoken.items():
        assert answer.status == pages[kind].status == english[kind].status >= 400, kind
        assert answer.json["error"] == english[kind].json["error"]
        assert f'<html lang="{TAGS[language]}"' in pages[kind].text, kind
        assert answer.json["message"] in pages[kind].text
        if language == "en":
            assert answer.json["message"] == english[kind].json["message"]
        else:
            assert answer.json["message"] != english[kind].json["message"], "it is translated"


def test_the_chosen_language_is_stronger_than_the_browsers(visitor: Player) -> None:
    assert visitor.post("/settings", [("language", "ja")]).status == 303
    page = visitor.get("/nothing", Accept="text/html", Accept_Language="en")
    assert '<html lang="ja"' in page.text


def test_every_refusal_and_status_has_a_sentence(site: Flask) -> None:
    with site.test_request_context():
        for code, (status, _) in REFUSALS.items():
            assert 400 <= status < 500 or status in (501, 503), code
            assert refusal_of(code)[1].endswith("."), code
        for verb in WORDS.refusals:
            assert refusal_of(f"illegal-{verb}")[1].endswith("."), verb
        for status in STATUSES:
            assert sentence_of(status).endswith("."), status


# ------------------------------------------------------------------------------------------------ headers


@pytest.mark.parametrize(
    "path", ["/", "/play/poker", "/me", "/me/settings", "/fair", "/about", "/rules/poker", "/nothing", "/healthz"]
)
def test_every_page_has_its_headers(visitor: Player, path: str) -> None:
    dealt(visitor)
    found = visitor.get(path, Accept="text/html").headers
    assert found["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in found["content-security-policy"]
    assert (found["x-content-type-options"], found["cache-control"]) == ("nosniff", "no-store")
    assert "frame-ancestors 'none'" in found["content-security-policy"]


def test_no_page_has_a_script_or_style_of_its_own(visitor: Player) -> None:
    dealt(visitor)
    for path in ("/", "/play/poker", "/me", "/fair", "/about", "/rules/poker", "/nothing"):
        page = visitor.get(path, Accept="text/html").text
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=|hx-on|javascript:", page), path
