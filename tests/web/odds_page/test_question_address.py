"""Addresses of the odds desk, where each tap leads to another one."""

from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask

from webapp.engine.cards import RANK_LETTERS, RANKS, Rank, parse_cards
from webapp.engine.twenty_one.hand import is_bust
from webapp.web.api.forms import OddsQuery
from webapp.web.odds_page.question import Asked


def asked(code: str = "joker", **fields: str) -> Asked:
    return Asked.of(code, fields.pop("table", "arcade"), OddsQuery(**fields))


def fields_of(url: str) -> dict[str, str]:
    return {name: value for name, (value,) in parse_qs(urlsplit(url).query).items()}


@pytest.fixture(autouse=True)
def _request(site: Flask):
    with site.test_request_context():
        yield


def test_a_tap_adds_a_card_and_another_tap_takes_it_away() -> None:
    (ace,) = parse_cards("As")
    more = fields_of(asked(cards="Kh").toggled("cards", ace, 5))
    assert more["cards"] == "KhAs"
    assert fields_of(asked(cards="KhAs").toggled("thrown", ace, 5))["cards"] == "Kh"


def test_a_full_hand_takes_no_more_cards() -> None:
    (ace,) = parse_cards("As")
    assert asked(cards="Kh Qh Jh Th 9h").toggled("cards", ace, 5) == ""


def test_a_rank_is_added_in_a_suit_that_the_shoe_still_has() -> None:
    only = asked("blackjack", table="single", cards="8c", dealer="8d", seen="8h")
    assert fields_of(only.added("cards", Rank.EIGHT, 1))["cards"] == "8c8s"
    assert asked("blackjack", cards="8c", dealer="8d", seen="8h8s").added("cards", Rank.EIGHT, 1) == ""


@pytest.mark.parametrize("cards", ["Jc8d", "2c3d9h", "As6d9c", "TcTd"])
def test_no_key_leads_to_a_hand_that_is_bust(cards: str) -> None:
    for rank in RANKS:
        url = asked("blackjack", table="classic", cards=cards, dealer="2s").added("cards", rank, 1)
        hand = parse_cards(f"{cards}{RANK_LETTERS[rank - 2]}s")
        assert bool(url) == (not is_bust(hand)), rank
        assert asked("blackjack", table="classic", cards=cards).added("dealer", rank, 1), "the other side may have it"


def test_the_next_card_goes_where_one_is_needed_or_where_somebody_wants_it() -> None:
    places = (("cards", 2), ("dealer", 1), ("seen", 0))
    assert asked("blackjack", cards="8c").target(*places) == "cards"
    assert asked("blackjack", cards="8c8d").target(*places) == "dealer"
    assert asked("blackjack", cards="8c8d", dealer="Tc").target(*places) == "cards"
    assert asked("blackjack", cards="8c8d", to="seen").target(*places) == "seen"


def test_an_address_of_a_finished_hand_becomes_one_of_its_cards_with_the_first_tap() -> None:
    of_hand = asked(hand="abc", step="3").having({"cards": "Kh Qh", "variant": "arcade"})
    assert fields_of(of_hand.without("cards", 0)) == {"table": "arcade", "cards": "Qh"}
