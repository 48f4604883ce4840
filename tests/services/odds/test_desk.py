"""The odds desk: its processes, its cache, and what it refuses."""

import threading
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.support.app import make_app
from webapp.config import Config
from webapp.engine.errors import SetupError
from webapp.engine.games import GAMES
from webapp.engine.odds import odds_of
from webapp.engine.odds.question import ImpossibleSpot
from webapp.engine.odds.value import MemoryStore
from webapp.services.core.errors import Refusal
from webapp.services.odds import desk
from webapp.services.odds.desk import Desk, Pending
from webapp.services.odds.store import FolderStore
from webapp.services.workers import Workers

SIXTEEN = {"game": "blackjack", "table": "vegas", "cards": "Th 6s", "dealer": "Tc"}
DEAR = {"game": "blackjack", "table": "vegas,decks=8,hole_card=no_peek", "cards": "2h 2d", "dealer": "As"}
"""A question that takes most of a second."""
ROYAL = {"game": "joker", "table": "kings-or-better", "cards": "Ah Kh Qh Jh 2c"}


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Config:
    folder = tmp_path_factory.mktemp("instance")
    found: Config = make_app(f"sqlite:///{folder}/none.sqlite3", folder).extensions["config"]
    return found


@pytest.fixture(autouse=True)
def _busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for answers as long as other tests make it necessary."""
    monkeypatch.setattr(desk, "TURN_SECONDS", 120)


@pytest.fixture
def workers() -> Iterator[Workers]:
    found = Workers(2, ())
    yield found
    found.stop()


@pytest.fixture
def open_desk(config: Config, workers: Workers) -> Desk:
    return Desk(config, workers)


@pytest.fixture
def used_desk(open_desk: Desk) -> Desk:
    """A desk for questions that are refused."""
    return open_desk


def patiently(asked: Desk, about: str, question: dict[str, str]) -> dict[str, Any]:
    """Ask until there is an answer."""
    for _ in range(100):
        try:
            return asked.ask(about, question, 5)
        except Pending:
            continue
    raise AssertionError("no answer")


def test_the_same_question_is_computed_once(open_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_desk.ask("spot", SIXTEEN, 5)
    monkeypatch.setattr(open_desk, "_shared", None)
    assert open_desk.ask("spot", SIXTEEN, 5) == first


def test_what_a_decision_is_worth_is_what_the_engine_says(open_desk: Desk) -> None:
    game = GAMES["blackjack"]
    from webapp.engine.odds.blackjack.spot import spot

    exact = odds_of(game).decision(spot(game, "vegas", "Th 6s", "Tc"), MemoryStore())  # type: ignore[arg-type]
    answer = open_desk.ask("spot", SIXTEEN, 5)
    assert [option["value"] for option in answer["options"]] == [float(option.value) / 10 for option in exact.options]


def test_tables_that_are_not_there_are_built_and_the_site_says_so_meanwhile(open_desk: Desk) -> None:
    with pytest.raises(Pending):
        open_desk.ask("spot", ROYAL, 0)
    assert patiently(open_desk, "spot", ROYAL)["best"] == "hold-1-2-3-4"


def test_an_answer_that_takes_too_long_is_given_up_and_the_next_one_is_not(
    open_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "ANSWER_SECONDS", 0.001)
    with pytest.raises(Refusal, match="odds-later"):
        open_desk.ask("spot", SIXTEEN | {"cards": "8h 8s"}, 5)
    monkeypatch.undo()
    assert open_desk.ask("spot", SIXTEEN | {"cards": "8h 8s"}, 5)["best"] == "split"


def test_an_answer_that_came_too_late_for_one_is_there_for_the_next(
    open_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_desk.ask("spot", SIXTEEN, 5)
    with monkeypatch.context() as patch, pytest.raises(Refusal, match="odds-later"):
        patch.setattr(desk, "TURN_SECONDS", 0.2)
        open_desk.ask("spot", DEAR, 5)
    deadline = time.monotonic() + 60
    while len(open_desk._kept) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    monkeypatch.setattr(open_desk, "_shared", None)
    assert len(open_desk.ask("spot", DEAR, 5)["options"]) > 1


def test_so_many_may_wait_for_tables_and_no_more(config: Config) -> None:
    """The house's own rules of one visitor do not take the places of another, nor do tables that wait take a turn."""
    asker = ["1.1.1.1"]
    workers = Workers(2, (), lambda: (asker[0], asker[0]))
    busy = Desk(config, workers)
    blackjack, numbers = GAMES["blackjack"], product("2345678", "234")
    rules = [blackjack.variant_from_choices({"decks": decks, "max_hands": hands}) for decks, hands in numbers]
    try:
        with pytest.raises(Refusal, match="odds-later"):
            for table in rules:
                with pytest.raises(Pending):
                    busy.ask("game", {"game": "blackjack", "table": table}, 0)
        assert len(busy.ask("spot", SIXTEEN, 5)["options"]) > 1
        asker[0] = "2.2.2.2"
        with pytest.raises(Pending):
            busy.ask("game", {"game": "blackjack", "table": rules[-1]}, 0)
    finally:
        workers.stop()


def test_requests_that_wait_for_tables_are_few(
    open_desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One too many does not wait, and looks again later."""
    monkeypatch.setattr(open_desk, "_waiting", threading.BoundedSemaphore(1))
    open_desk._waiting.acquire()
    began = time.monotonic()
    with pytest.raises(Pending):
        open_desk.ask("spot", {**SIXTEEN, "simulated": "2000", "seed": "7"}, 60)
    assert time.monotonic() - began < 30


def test_a_simulation_that_would_take_too_long_is_refused_with_what_would_not(
    config: Config, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its price is known after its first deals. It is remembered, so that asking again costs nothing."""
    asked = Desk(config, workers)
    for _ in range(2):
        with pytest.raises(ImpossibleSpot) as refused:
            patiently(asked, "spot", {**DEAR, "simulated": "10000", "seed": "1"})
        assert refused.value.reason == "too-dear"
        assert 100 <= refused.value.values["most"] < 10_000
        monkeypatch.setattr(asked, "_shared", None)


def test_a_site_without_workers_builds_nothing_but_opens_what_is_there(tmp_path: Path) -> None:
    config = make_app(f"sqlite:///{tmp_path}/none.sqlite3", tmp_path, TEFUDA_LAB_WORKERS="0").extensions["config"]
    workers = Workers(0, ())
    idle = Desk(config, workers)
    try:
        with pytest.raises(Refusal, match="odds-not-here"):
            idle.ask("spot", ROYAL, 5)
        odds_of(GAMES["joker"]).prepare("kings-or-better", FolderStore.of_instance(tmp_path))
        assert idle.ask("spot", ROYAL, 5)["best"] == "hold-1-2-3-4"
    finally:
        workers.stop()


@pytest.mark.parametrize(
    "change, reason",
    [
        ({"cards": "Ah Ah Qh Jh 2c"}, "twice"),
        ({"cards": "Ah Kh Qh Jh 2c 3c"}, "hand-size"),
        ({"cards": "Jk Jk Qh Jh 2c"}, "jokers"),
        ({"cards": "Xx Kh Qh Jh 2c"}, "no-card"),
        ({"held": "hold-6"}, "held"),
        ({"held": "double"}, "held"),
        ({"thrown": "3c"}, "exchanges"),
        ({"exchanges": "4"}, "bad-exchanges"),
        ({"score": "10"}, "no-double-up"),
        ({"table": "kings-or-better-double", "cards": "", "score": "0"}, "bad-score"),
    ],
)
def test_a_question_of_draw_poker_that_cannot_be_is_refused(
    used_desk: Desk, change: dict[str, str], reason: str
) -> None:
    patiently(used_desk, "ready", {"game": "joker", "table": "kings-or-better"})
    with pytest.raises(ImpossibleSpot) as refused:
        used_desk.ask("spot", ROYAL | change, 5)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    "change, reason",
    [
        ({"table": "single", "dealer": "6s"}, "too-many"),
        ({"seen": "Th " * 6}, "too-many"),
        ({"dealer": "Tc 9c"}, "dealer-one"),
        ({"dealer": ""}, "dealer-one"),
        ({"cards": "Th"}, "hand-least"),
        ({"cards": "Th 6s 9s"}, "bust"),
        ({"cards": "Th As"}, "natural"),
        ({"cards": "Th 6s 5s"}, "stands"),
        ({"cards": "Jk 6s"}, "no-joker"),
        ({"held": "surrender"}, "held"),
        ({"bet": "1"}, "bad-bet"),
        ({"game": "table21", "table": "house", "others": "6s"}, "too-many"),
    ],
)
def test_a_question_of_a_game_of_21_that_cannot_be_is_refused(
    used_desk: Desk, change: dict[str, str], reason: str
) -> None:
    with pytest.raises(ImpossibleSpot) as refused:
        used_desk.ask("spot", SIXTEEN | change, 5)
    assert refused.value.reason == reason


def test_a_table_that_does_not_exist_is_refused(used_desk: Desk) -> None:
    with pytest.raises(SetupError, match="no such table"):
        used_desk.ask("spot", SIXTEEN | {"table": "nowhere"}, 5)
