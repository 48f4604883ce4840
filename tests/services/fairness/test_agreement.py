"""The verifier compares everything that follows from rules, seed, cuts and moves, and finds each changed field.

A law over the JSON of hands of every game at every table: finished, forfeited and void.
"""

from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.contracts.playing import OWN_TABLES, TABLE_NAMES, TABLES
from tests.support.forged_hands import KEY, Site, honest_sites
from tests.support.player import Json
from tests.support.project_files import ROOT
from webapp.engine.game import states
from webapp.engine.notation import loads
from webapp.engine.shuffling import commitment
from webapp.services.fairness.verification import BELIEVED, checks
from webapp.services.records.finished import Finished, FinishedSeat, Proof
from webapp.services.records.replays import Replay
from webapp.services.records.stored_round import AutoMove
from webapp.web.api.hand_answers import FinishedAnswer
from webapp.web.api.serialize import json_name, to_json
from webapp.web.i18n.translations import use_language

every_table = pytest.mark.parametrize(
    "table",
    [*TABLES, *OWN_TABLES],
    ids=[*TABLE_NAMES, *(f"{game.spec.code}/{variant}" for game, variant in OWN_TABLES)],
)
some = settings(
    max_examples=5, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def told(site: Site, status: str = "done", proved: bool = True, **more: Any) -> Json:
    """Return the JSON of a hand or round as the site sends it; unless done, it ended after some of its moves."""
    game, alone = site.game, site.game.spec.seats == 1
    record = loads(site.tells()["notation"])
    moves = record.moves
    if status != "done" and alone:
        moves = moves[: len(moves) // 2]
    setup = record.setup
    replay = Replay(game, setup, moves, tuple(states(game, setup, moves)))
    written = replay.record.as_void() if status == "void" else replay.record
    committed = game.committed(replay.last)
    paid = written.payouts or committed
    seats = tuple(
        FinishedSeat(
            place, "", False, place == setup.banker, stake, False, (), paid[place], paid[place] - committed[place]
        )
        for place, stake in enumerate(setup.stakes)
    )
    packs = game.packs(site.variant)[: len(written.setup.cards)]
    opened = Proof(site.id, commitment(site.seed, site.id), site.seed.hex(), site.cuts, packs, site.offset)
    finished = Finished(
        key=KEY,
        table=site.variant,
        seq=7,
        status=status,
        player="Grace",
        replay=replay,
        record=written,
        payouts=written.payouts or ((0,) if alone else ()),
        commitment=opened.commitment,
        proof=opened if proved else None,
        finished_at=datetime(2026, 11, 22, tzinfo=UTC),
        seats=() if alone else seats,
        autos=() if alone else (AutoMove("timid", "late"), *[None] * len(moves))[: len(moves)],
    )
    with use_language("en"):
        answer: Json = to_json(FinishedAnswer.of(finished))
    return answer | more


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return the paths of all values in a JSON document, also of lists and objects, except the whole."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inside in items:
        yield from leaves(inside, (*path, name))


def named(path: tuple[Any, ...]) -> str:
    return ".".join(part for part in path if isinstance(part, str))


def is_believed(path: tuple[Any, ...]) -> bool:
    name = named(path)
    return any(name == known or name.startswith(f"{known}.") for known in BELIEVED)


def others(value: Any) -> list[Any]:
    """Return different values for a place of the document."""
    match value:
        case bool():
            return [not value, int(value), None]
        case None:
            return [0, 1, "x", True]
        case int() | float():
            return [value + 1, -1 - value, str(value), None, *([bool(value)] if value in (0, 1) else [])]
        case str():
            return [f"{value}x", value[:-1], None, 0]
        case list():
            return [[*value, value[-1]], value[:-1], None] if value else [[None], [0], None]
        case _:
            return [[], "x"]


def changed(hand: Json, path: tuple[Any, ...], value: Any) -> Json:
    def put(inside: Any, path: tuple[Any, ...]) -> Any:
        if not path:
            return value
        copy: Any = dict(inside) if isinstance(inside, dict) else list(inside)
        copy[path[0]] = put(inside[path[0]], path[1:])
        return copy

    changed: Json = put(hand, path)
    return changed


def is_right(hand: Json) -> bool:
    try:
        return all(check.ok for check in checks(hand))
    except ValueError:
        return False


def at(hand: Json, path: tuple[Any, ...]) -> Any:
    value: Any = hand
    for part in path:
        value = value[part]
    return value


def lies(hand: Json, is_of_shoe: bool, chance: Random) -> Iterator[tuple[str, Any]]:
    """Yield changes of derived fields that are not noticed; for each field name one place is changed."""
    places: dict[str, list[tuple[Any, ...]]] = {}
    for path in leaves(hand):
        if not (is_believed(path) or (is_of_shoe and path == ("hand",))):
            places.setdefault(named(path), []).append(path)
    for name, paths in places.items():
        path = chance.choice(paths)
        value = chance.choice(others(at(hand, path)))
        if is_right(changed(hand, path, value)):
            yield name, value


@every_table
@some
@given(data=st.data())
def test_every_field_that_follows_from_the_rules_is_found_wrong_when_it_is_changed(
    table: Any, data: st.DataObject
) -> None:
    game, variant = table
    site = data.draw(honest_sites(game, variant))
    is_of_shoe, chance = game.cut_card(variant) is not None, Random(data.draw(st.integers(0, 2**32)))
    for status in ("done", "void", *(["forfeited"] if game.spec.seats == 1 else [])):
        hand = told(site, status)
        if status != "done" and game.spec.seats == 1 and not hand["notation"].endswith(" *"):
            continue  # too short to be broken off
        assert is_right(hand), hand
        assert list(lies(hand, is_of_shoe, chance)) == []
    if is_of_shoe:
        waiting = told(site, proved=False)
        assert is_right(waiting)
        unproved = [lie for lie in lies(waiting, is_of_shoe, chance) if lie[0] != "proof"]
        assert unproved == []


@every_table
@some
@given(data=st.data())
def test_practice_and_daily_deals_say_what_they_are(table: Any, data: st.DataObject) -> None:
    game, variant = table
    site = data.draw(honest_sites(game, variant))
    if game.spec.seats > 1:
        return
    hand = told(site)
    of = hand["hand"] if game.cut_card(variant) is None else "SomeOther"
    again = hand | {"hand": "P-1", "practice": True, "of": of, "seq": None}
    assert is_right(again)
    for lie in ({"practice": False}, {"of": None}, {"seq": 3}, {"daily": "2026-11-22"}, {"round": 1}):
        assert not is_right(again | lie), lie
    for lie in ({"practice": True}, {"of": "x"}, {"seq": None}, {"daily": "2026-11-22"}, {"round": 1}):
        assert not is_right(hand | lie), lie


def test_each_field_of_a_finished_hand_is_compared_or_named_among_those_that_are_believed() -> None:
    """The law above covers a new field only if a hand of these tests has it."""
    data = {json_name(field.name) for field in fields(FinishedAnswer)}
    assert {name.partition(".")[0] for name in BELIEVED} <= data
    written = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert [name for name in BELIEVED if f"`{name.rpartition('.')[2]}`" not in written and name != "labels.text"] == []
