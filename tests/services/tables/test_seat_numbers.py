"""A seat has one number in an answer, that of the table; where somebody plays in a round is called a place."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from tests.support.openapi_check import document
from tests.support.player import Json
from tests.support.table_players import TablePlayer, bet_all, finished, people, play_out, see_all
from webapp.services.fairness.verification import checks

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

NUMBERS = (4, 2)


def apart(app: Flask) -> list[TablePlayer]:
    """Seat two people whose seats are not their places in the round; bets are open."""
    visitors = people(app, 2)
    code = visitors[0].open()
    for visitor, number in zip(visitors, NUMBERS, strict=True):
        visitor.come(code)
        visitor.now("sit", number)
    for visitor in visitors:
        visitor.now("ready")
    see_all(visitors)
    return visitors


def named(answer: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all that an answer says under the name of ``seat``, and all sentences with the number of a seat."""
    if isinstance(answer, list):
        for item in answer:
            yield from named(item, f"{path}[]")
    elif isinstance(answer, dict):
        for name, value in answer.items():
            if name == "seat":
                yield f"{path}.seat", value
            elif name == "text" and isinstance(value, str) and (found := re.search(r"Seat (\d)", value)):
                yield f"{path}.text", int(found[1]) - 1
            yield from named(value, f"{path}.{name}")


OLD = {".view.seats[].seat", ".review.decisions[].seat", ".review.seats[].seat"}
"""Fields that count places, for programs that read them so."""


def check(answer: Json) -> set[str]:
    said = [(path, number) for path, number in named(answer) if path not in OLD]
    assert {number for _, number in said} <= set(NUMBERS), said
    return {path for path, _ in said}


@on_sqlite
def test_an_answer_numbers_seats_in_one_way(app: Flask) -> None:
    visitors = apart(app)
    bet_all(visitors)
    seen = {path for visitor in visitors for path in check(visitor.table)}
    play_out(visitors)
    for visitor in visitors:
        visitor.see()
        seen |= check(visitor.table)
    assert {".view.said[].args.seat", ".result.labels[].text", ".said[].args.seat", ".log[].label.text"} <= seen
    for seat in visitors[0].table["seats"]:
        place = seat["place"]
        assert seat["seat"] == sorted(NUMBERS)[place]
        assert visitors[0].table["view"]["seats"][place]["hands"] == seat["hands"]
        assert visitors[0].table["view"]["seats"][place]["place"] == place
        assert visitors[0].table["view"]["seats"][place]["seat"] == place, "as programs know it"


@on_sqlite
def test_a_finished_round_numbers_seats_in_one_way(app: Flask) -> None:
    visitors = apart(app)
    bet_all(visitors)
    play_out(visitors)
    hand = finished(visitors[0])
    assert {".labels[].args.seat", ".labels[].text", ".seats[].seat"} <= check(hand)
    assert [(seat["seat"], seat["place"]) for seat in hand["seats"]] == [(2, 0), (4, 1)]
    assert all(check.ok for check in checks(hand))
    places = {2: 0, 4: 1}
    old = [label | {"args": label["args"] | {"seat": places[label["args"]["seat"]]}} for label in hand["labels"]]
    assert all(check.ok for check in checks(hand | {"labels": old})), "a file from before is as true as it was"
    wrong = [label | {"args": label["args"] | {"seat": 3}} for label in hand["labels"]]
    assert not all(check.ok for check in checks(hand | {"labels": wrong}))


def test_fields_that_count_places_under_another_name_are_deprecated() -> None:
    schemas = document()["components"]["schemas"]
    old = {
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, described in schema.get("properties", {}).items()
        if described.get("deprecated") and "place" in described["description"]
    }
    assert old == {
        *("Table21View.bank", "Table21View.turn", "Table21View.to_act", "Table21SeatView.seat"),
        *("ReviewDecision.seat", "ReviewSeat.seat"),
    }
    for name, schema in schemas.items():
        for field, described in schema.get("properties", {}).items():
            if field == "seat" and f"{name}.{field}" not in old:
                assert "umber of the seat" in described["description"], name
