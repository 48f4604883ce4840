"""A link that somebody shares is shown by messengers in the language of who shares it."""

import re
from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from flask import Flask

from tests.support.clock import Clock
from tests.support.daily_mornings import first_morning
from tests.support.languages import CODES
from tests.support.moves import dealt, finished
from tests.support.player import Player
from webapp.web.i18n.translations import use_language
from webapp.web.i18n.vocabulary import game_name

BOT = {"Accept": "text/html", "Accept-Language": ""}
"""What programs that make previews ask for."""


@pytest.fixture
def crawler(site: Flask) -> Player:
    return Player(site.test_client())


@pytest.fixture
def hand(site: Flask) -> str:
    alice = Player(site.test_client())
    dealt(alice)
    return finished(alice)


def page(reader: Player, path: str, **headers: str) -> str:
    return unescape(reader.get(path, **{"Accept": "text/html", **headers}).text)


def head(page: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)"', page))


def path_of(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def shared(page: str, start: str) -> str:
    """Return the first address that a button shares, of those that begin so."""
    return next(path_of(url) for url in re.findall(r'data-share="([^"]+)"', page) if path_of(url).startswith(start))


def language_named(address: str) -> list[str]:
    return parse_qs(urlsplit(address).query).get("lang", [])


@pytest.mark.parametrize("code", CODES)
def test_the_preview_of_a_shared_hand_is_in_the_language_of_who_shares_it(
    crawler: Player, hand: str, code: str
) -> None:
    seen = page(crawler, f"/h/{hand}", Accept_Language=code)
    address = shared(seen, "/h/")
    assert language_named(address) == ([] if code == "en" else [code])
    told = head(page(crawler, address, **BOT))
    with use_language(code):
        assert told["og:description"].startswith(game_name("poker"))
    assert told["og:title"] == head(seen)["og:title"]
    for where in ("og:url", "og:image"):
        assert language_named(told[where]) == language_named(address), where
    assert f'<link rel="canonical" href="{told["og:url"]}">' in page(crawler, address, **BOT)


def test_who_opens_the_link_of_another_reads_the_page_in_the_own_language(crawler: Player, hand: str) -> None:
    seen = page(crawler, f"/h/{hand}?lang=ja", Accept_Language="en")
    assert '<html lang="en"' in seen
    assert head(seen)["og:title"] == head(page(crawler, f"/h/{hand}", Accept_Language="ja"))["og:title"]
    assert language_named(shared(seen, "/h/")) == []


def test_sites_that_embed_a_link_name_it_in_its_language(crawler: Player, hand: str) -> None:
    root = head(page(crawler, f"/h/{hand}", **BOT))["og:url"].partition("/h/")[0]
    query = urlencode({"url": f"{root}/h/{hand}?lang=ja"})
    found = crawler.get(f"/oembed?{query}", Accept_Language="").json
    assert found["title"] == head(page(crawler, f"/h/{hand}", Accept_Language="ja"))["og:title"]
    assert language_named(found["thumbnail_url"]) == ["ja"]


def test_a_link_to_a_decision_is_shown_in_its_language(crawler: Player, hand: str) -> None:
    assert_shown_in_its_language(crawler, f"/h/{hand}?ask=0")


def test_a_link_to_a_day_is_shown_in_its_language(app: Flask, clock: Clock) -> None:
    first_morning(app, clock)
    assert_shown_in_its_language(Player(app.test_client()), "/daily")


def assert_shown_in_its_language(crawler: Player, address: str) -> None:
    told = head(page(crawler, f"{address}{'&' if '?' in address else '?'}lang=ja", **BOT))
    assert told["og:title"] == head(page(crawler, address, Accept_Language="ja"))["og:title"]
    assert language_named(told["og:url"]) == language_named(told["og:image"]) == ["ja"]
