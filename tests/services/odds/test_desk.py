"""The odds desk: its processes, its cache, and what it refuses."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
from webapp.services.odds import children, desk
from webapp.services.odds.desk import Desk, Pending
from webapp.services.odds.store import FolderStore

SIXTEEN = {"game": "blackjack", "table": "vegas", "cards": "Th 6s", "dealer": "Tc"}
ROYAL = {"game": "joker", "table": "kings-or-better", "cards": "Ah Kh Qh Jh 2c"}


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Config:
    folder = tmp_path_factory.mktemp("instance")
    found: Config = make_app(f"sqlite:///{folder}/none.sqlite3", folder).extensions["config"]
    return found


@pytest.fixture
def open_desk(config: Config) -> Iterator[Desk]:
    found = Desk(config)
    yield found
    found.stop()


@pytest.fixture(scope="module")
def used_desk(config: Config) -> Iterator[Desk]:
    """One desk for all questions that are refused, since starting its processes takes long."""
    found = Desk(config)
    yield found
    found.stop()


def patiently(asked: Desk, about: str, question: dict[str, str]) -> dict[str, Any]:
    """Ask until there is an answer."""
    for _ in range(100):
        try:
            return asked.ask(about, question, 5)
        except Pending:
            continue
    raise AssertionError("no answer")


def test_the_same_question_is_computed_once(open_desk: Desk) -> None:
    first = open_desk.ask("spot", SIXTEEN, 5)
    open_desk.answerer.stop()
    assert open_desk.ask("spot", SIXTEEN, 5) == first
    assert open_desk.answerer.pid is None, "nobody was asked"


def test_no_more_answers_are_remembered_than_there_is_room_for(
    open_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "MOST_KEPT", 3)
    for rank in "23456":
        open_desk.ask("spot", SIXTEEN | {"dealer": f"{rank}c"}, 5)
    assert len(open_desk._kept) == 3


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


def test_a_process_that_is_killed_is_replaced(open_desk: Desk) -> None:
    open_desk.ask("spot", SIXTEEN, 5)
    pid = open_desk.answerer.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert open_desk.ask("spot", SIXTEEN | {"dealer": "9c"}, 5)["best"] == "hit"
    assert open_desk.answerer.pid != pid


def test_an_answer_that_takes_too_long_is_given_up_with_its_process(
    open_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_desk.ask("spot", SIXTEEN, 5)
    pid = open_desk.answerer.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    monkeypatch.setattr(children, "ANSWER_SECONDS", 0.2)
    with pytest.raises(Refusal, match="odds-later"):
        open_desk.ask("spot", SIXTEEN | {"dealer": "9c"}, 5)
    assert not Path(f"/proc/{pid}").exists()


def test_the_process_that_answers_has_a_lower_priority_and_no_key_of_the_site(
    open_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SECRET_KEY", "SECRET_KEY_FALLBACKS", "METRICS_TOKEN", "DATABASE_URL"):
        monkeypatch.setenv(f"TEFUDA_{name}", "not to be handed on, whoever asks")
    monkeypatch.setenv("PGPASSWORD", "not to be handed on, whoever asks")
    open_desk.answerer.stop()
    open_desk.ask("spot", SIXTEEN, 5)
    pid = open_desk.answerer.pid
    assert pid is not None
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(os.getpriority(os.PRIO_PROCESS, 0) + 10, 19)
    assert b"not to be handed on" not in Path(f"/proc/{pid}/environ").read_bytes()


@pytest.mark.parametrize("task, lower", [("answer", 10), ("review", 15), ("build-quick", 19), ("build-simulated", 19)])
def test_a_process_has_its_lower_priority_before_it_loads_anything(config: Config, task: str, lower: int) -> None:
    process = children.start_process(config, task)
    try:
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(own + lower, 19)
    finally:
        children.end_process(process)


def test_so_many_may_wait_for_tables_and_no_more(open_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "MOST_BUILDS", 2)
    asked = ({"game": "blackjack", "table": f"vegas,decks={decks}"} for decks in (3, 4, 5))
    for question in (next(asked), next(asked)):
        with pytest.raises(Pending):
            open_desk.ask("game", question, 0)
    with pytest.raises(Refusal, match="odds-later"):
        open_desk.ask("game", next(asked), 0)


def test_questions_that_wait_for_tables_are_in_nobodys_way(open_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many simulations and slow tables are requested, a decision of an open hand is answered at once."""
    gone_on, begun = threading.Event(), threading.Semaphore(0)
    open_desk._places = threading.BoundedSemaphore(2)

    def wait(_self: object, _name: str, _line: str, _seconds: float) -> bool:
        begun.release()
        return not gone_on.wait(60)

    def simulate(number: int) -> None:
        with pytest.raises(Pending):
            open_desk.ask("spot", {**SIXTEEN, "simulated": "1000", "seed": str(number)}, 60)

    monkeypatch.setattr(children.Builds, "wait", wait)
    monkeypatch.setattr(children.Builds, "want", lambda *_: None)
    with ThreadPoolExecutor(desk.WAITING + 3) as pool:
        waiting = []
        for number in range(desk.WAITING):
            waiting.append(pool.submit(simulate, number))
            assert begun.acquire(timeout=60)
        simulate(desk.WAITING)  # one too many: it does not wait, and looks again later
        assert len(open_desk.ask("spot", SIXTEEN, 5)["options"]) > 1
        gone_on.set()
        for each in waiting:
            each.result(timeout=60)


def test_a_site_without_workers_builds_nothing_but_opens_what_is_there(tmp_path: Path) -> None:
    config = make_app(f"sqlite:///{tmp_path}/none.sqlite3", tmp_path, TEFUDA_LAB_WORKERS="0").extensions["config"]
    idle = Desk(config)
    try:
        with pytest.raises(Refusal, match="odds-not-here"):
            idle.ask("spot", ROYAL, 5)
        odds_of(GAMES["joker"]).prepare("kings-or-better", FolderStore.of_instance(tmp_path))
        assert idle.ask("spot", ROYAL, 5)["best"] == "hold-1-2-3-4"
    finally:
        idle.stop()


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


def test_a_desk_that_is_closed_ends_its_processes(config: Config) -> None:
    closing = Desk(config)
    closing.ask("spot", SIXTEEN, 5)
    pid = closing.answerer.pid
    closing.stop()
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
