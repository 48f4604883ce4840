"""Questions of the drills of counting, against what is counted by hand."""

from fractions import Fraction

import pytest
from flask import Flask

from webapp.engine.cards import STANDARD_DECK
from webapp.engine.twenty_one.counting import ROUNDINGS, SYSTEMS, CountingSystem
from webapp.services.core.errors import Refusal
from webapp.services.deals.counting_drills import (
    AT_A_TIME,
    QUESTIONS,
    conversion,
    counted_deck,
    is_sealed,
    seal,
    tray,
)

SPOTS = [f"spot{number}" for number in range(60)]
OWN = "0,1,1,1,1,1,0,0,-1,-1"


@pytest.mark.parametrize("name", [*SYSTEMS, OWN])
@pytest.mark.parametrize("at_a_time", AT_A_TIME)
def test_the_count_at_each_stop_is_a_recount_of_every_card_that_was_shown(
    app: Flask, name: str, at_a_time: int
) -> None:
    system = CountingSystem.parse(name)
    tags = dict(zip("A23456789TJQK", (*system.tags, *system.tags[-1:] * 3), strict=True))
    with app.app_context():
        for number, spot in enumerate(SPOTS):
            decks = (1, 2, 6, 8)[number % 4]
            deck = counted_deck(spot, system, decks, at_a_time)
            counted, shown = deck.start, []
            for step in range(1, deck.steps + 1):
                assert len(deck.shown(step)) == at_a_time
                shown += deck.shown(step)
                counted += sum(tags[str(card)[0]] for card in deck.shown(step))
                assert deck.running(step) == counted
            assert sorted([*shown, *deck.kept_back], key=str) == sorted(STANDARD_DECK, key=str)
            assert deck.kept_back
            assert deck.whole == counted + sum(tags[str(card)[0]] for card in deck.kept_back)
            assert len(deck.stops) == QUESTIONS
            assert [*deck.stops] == sorted({*deck.stops})
            assert deck.stops[0] > 1


def test_no_two_words_name_the_same_deck_and_one_names_it_for_all_settings(app: Flask) -> None:
    hi_lo, zen = map(CountingSystem.parse, ("hi-lo", "zen"))
    with app.app_context():
        decks = {counted_deck(spot, hi_lo, 6, 1).cards for spot in SPOTS}
        assert len(decks) == len(SPOTS)
        assert counted_deck("a", hi_lo, 6, 1).cards == counted_deck("a", zen, 1, 3).cards
        assert len({counted_deck(spot, hi_lo, 6, 1).stops for spot in SPOTS}) > 10, "nobody knows when it is asked"


def test_the_key_of_the_site_is_needed_to_know_a_deck(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    hi_lo = CountingSystem.parse("hi-lo")
    with app.app_context():
        before, mark = counted_deck("a", hi_lo, 6, 1).cards, seal("deck", "a", 3)
        assert is_sealed(mark, "deck", "a", 3)
        assert not is_sealed(mark, "deck", "a", 4)
        monkeypatch.setattr(app, "secret_key", "another key of the same length, at least")
        assert counted_deck("a", hi_lo, 6, 1).cards != before
        assert not is_sealed(mark, "deck", "a", 3)


@pytest.mark.parametrize("decks", range(1, 9))
def test_what_is_to_be_divided_can_come_up_and_is_never_nothing(app: Flask, decks: int) -> None:
    with app.app_context():
        for rounding in ROUNDINGS:
            asked = [conversion(spot, decks, rounding) for spot in SPOTS]
            assert all(each.running for each in asked)
            assert all(Fraction(1, 2) <= each.decks <= max(decks - Fraction(1, 2), 1) for each in asked)
            assert {each.running > 0 for each in asked} == {True, False}
            assert len({each.decks for each in asked}) >= min(2 * decks - 1, 8)
            assert all(abs(each.right - each.running / each.decks) < 1 for each in asked)


@pytest.mark.parametrize("decks", range(1, 9))
def test_a_tray_is_never_nearly_between_two_halves(app: Flask, decks: int) -> None:
    with app.app_context():
        for spot in SPOTS:
            found = tray(spot, decks)
            assert 0 < found.dealt < 52 * decks
            assert found.left + found.dealt == 52 * decks
            assert abs(found.left - 52 * found.right) <= 8
            assert found.right in found.choices
            assert min(found.choices, key=lambda choice: abs(52 * choice - found.left)) == found.right


@pytest.mark.parametrize("spot", ["", "a b", "<b>", "a" * 21])
def test_what_is_no_word_is_refused(app: Flask, spot: str) -> None:
    hi_lo = CountingSystem.parse("hi-lo")
    with app.app_context():
        for ask in (
            lambda: counted_deck(spot, hi_lo, 6, 1),
            lambda: tray(spot, 6),
            lambda: conversion(spot, 6, "floor"),
        ):
            with pytest.raises(Refusal):
                ask()
