"""Simulation jobs of the lab: run in this process, or waited for."""

import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from flask import Flask

from tests.support.player import Player
from webapp.services.lab import supervisor
from webapp.services.lab.lease import Lease
from webapp.services.team import Team


class InlineExecutor(Executor):
    """An executor that runs each call immediately, in the thread that submits it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  # it is raised by result()
            future.set_exception(error)
        return future


HERE = Team(InlineExecutor(), 1)
"""A team that does its tasks in this process."""


def play_turns(app: Flask, most: int = 1000, lease: Lease = Lease("somebody")) -> int:  # noqa: B008  # it is frozen
    """Play turns of the jobs, at most ``most``. Return how many were played."""
    with app.app_context():
        for turn in range(most):
            if not supervisor.play_turn(lease, HERE):
                return turn
    return most


def wait_for(player: Player, key: str, *statuses: str, rounds: int = 0) -> Any:
    for _ in range(4000):
        found = player.get(f"/lab/{key}").json
        if found["status"] in statuses and found["rounds"] >= rounds:
            return found
        time.sleep(0.05)
    raise AssertionError(found)
