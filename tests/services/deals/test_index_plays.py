"""Hands of the drill of index numbers: their counts, and what is best with the cards that are left."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import floor
from statistics import fmean

import pytest
from flask import Flask

from tests.support.index_numbers import work_out_indices
from webapp.engine.games.blackjack.rules import parse_rules
from webapp.engine.twenty_one.counting import CountingSystem
from webapp.services.core.errors import Refusal
from webapp.services.deals import index_plays
from webapp.services.deals.index_plays import IndexPlay, PricedIndexPlay, index_play
from webapp.services.odds import desk

TABLE = "vegas,split_by=none"
"""Its index numbers take seconds."""
SYSTEMS = ["hi-lo", "ko"]


pytestmark = [pytest.mark.slow, pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)]


@pytest.fixture
def indices(app: Flask) -> Iterator[None]:
    """Have the index numbers of the table worked out."""
    for system in SYSTEMS:
        work_out_indices(app, TABLE, system)
    with app.app_context():
        yield


def asked(system: str, count: int) -> list[PricedIndexPlay]:
    return [index_play(f"spot{number}", TABLE, CountingSystem.parse(system)) for number in range(count)]


def candidates(spot: str, system: str) -> list[IndexPlay]:
    """Return hands near an index, whatever their values are."""
    found = desk.ask("index", {"game": "blackjack", "table": TABLE, "system": system})
    turns = {(play["hand"], play["dealer"]): play for play in found["plays"] if play["turns"]}
    plays = index_plays._plays(spot, parse_rules(TABLE), CountingSystem.parse(system), turns)
    return list(islice(plays, 3))


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.usefixtures("indices")
def test_what_the_count_calls_for_is_the_best_with_the_cards_that_are_left(system: str) -> None:
    tags = dict(zip("A23456789TJQK", (-1, 1, 1, 1, 1, 1, int(system == "ko"), 0, 0, *[-1] * 4), strict=True))
    deviations = []
    for found in (found for found in asked(system, 28) if not found.play.is_insurance):
        play = found.play
        known = (*play.seen, *play.hand, play.dealer)
        running = (-20 if system == "ko" else 0) + sum(tags[str(card)[0]] for card in known)
        left = Fraction(312 - len(known), 52)
        assert (play.running, play.decks) == (running, left)
        assert play.count == (running if system == "ko" else floor(running / left))
        assert all(known.count(card) <= 6 for card in known)
        assert len(play.seen) < 234, "before the cut card"
        assert found.best.verb == play.right
        assert found.cost(play.right) == 0
        assert all(found.cost(option.verb) >= 0 for option in found.options)
        deviations.append(play.right != play.basic)
    assert 4 < sum(deviations) < 20, "nobody knows whether the count changes the play"


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.usefixtures("indices")
def test_on_average_the_better_action_changes_at_the_index_that_is_shown(system: str) -> None:
    """Of all hands near an index, before any is left out for its values."""
    gains: dict[bool, list[float]] = {True: [], False: []}
    for number in range(16):
        for play in candidates(f"near{number}", system):
            priced = {option.verb: option.value for option in index_plays._priced(TABLE, play).options}
            if {play.above, play.below} <= {*priced}:
                gains[play.count >= play.index].append(priced[play.above] - priced[play.below])
    assert len(gains[True]) > 5 < len(gains[False])
    assert fmean(gains[True]) > 0 > fmean(gains[False])


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.usefixtures("indices")
def test_whether_to_insure_is_asked_now_and_then_and_priced_by_the_tens_that_are_left(system: str) -> None:
    index = desk.ask("index", {"game": "blackjack", "table": TABLE, "system": system})["insurance"]
    found = [priced for priced in asked(system, 90) if priced.play.is_insurance]
    assert 5 < len(found) < 30, "one of six"
    for priced in found:
        play = priced.play
        known = [str(card)[0] for card in (*play.seen, *play.hand, play.dealer)]
        tens, left = 96 - sum(rank in "TJQK" for rank in known), 312 - len(known)
        assert str(play.dealer)[0] == "A"
        assert not ("A" in known[-3:-1] and {*known[-3:-1]} & {*"TJQK"}), "no natural: even money is another question"
        assert (play.index, play.below, play.above, play.basic) == (index, "decline", "insure", "decline")
        assert play.right == ("insure" if play.count >= index else "decline")
        insured, declined = priced.options
        assert insured.value == pytest.approx(0.5 * (2 * tens - (left - tens)) / left), (
            "it costs half a bet, and pays 2:1"
        )
        assert (declined.value, declined.full) == (0, 0)
        own = sum(rank in "TJQK" for rank in known[-3:])
        assert insured.full == pytest.approx(0.5 * (2 * (96 - own) - (213 + own)) / 309)
        assert priced.best.verb == play.right
        assert priced.cost("insure") == pytest.approx(max(0, -insured.value))
        desk_says = {
            option["action"]: option["counted"]
            for option in desk.ask("spot", {"game": "blackjack", "table": TABLE, **play.question})["options"]
        }
        assert desk_says["insure"] - desk_says["decline"] == pytest.approx(insured.value, abs=1e-9)
    assert len({priced.play.right for priced in found}) == 2


@pytest.mark.usefixtures("indices")
def test_what_is_no_hand_is_refused() -> None:
    hi_lo = CountingSystem.parse("hi-lo")
    found = index_play("spot1", TABLE, hi_lo)
    assert index_play("spot1", TABLE, hi_lo) == found
    with pytest.raises(Refusal):
        found.cost("fold")
    with pytest.raises(Refusal):
        index_play("a b", TABLE, hi_lo)
    with pytest.raises(desk.Pending):
        index_play("spot1", "vegas,decks=3", hi_lo)
