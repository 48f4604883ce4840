"""Review all finished hands without a review, in processes of this machine or on a Dask cluster.

The site itself reviews hands that are looked at. A review is the same to the last bit wherever it is computed. An
interrupted run is continued with the hands that are left.
"""

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from webapp.config import Config
from webapp.engine.odds.value import MemoryStore, TableStore
from webapp.extensions import db
from webapp.services.core.errors import Refusal
from webapp.services.core.other_games import load_games
from webapp.services.odds.answers import answer
from webapp.services.odds.store import FOLDER, FolderStore
from webapp.services.records.finished import Finished
from webapp.services.records.lookup import finished_hand
from webapp.services.review import schedule
from webapp.services.review.reviews import store
from webapp.services.team import Team
from webapp.setting_texts import words

AT_A_TIME: Final = 100
"""Hands that are read from the database at a time."""


def review_line(line: str, folder: str | None) -> dict[str, Any]:
    """Return the review of a hand, given as a line of notation, or an ``error``: this runs in a worker.

    folder: where the tables of the odds are; None keeps them in the worker's memory, for a machine without our files.
    """
    return answer({"about": "review", "line": line}, _tables(folder))


@cache
def _tables(folder: str | None) -> TableStore:
    load_games(words(os.environ.get("TEFUDA_GAMES", "")))
    return MemoryStore() if folder is None else FolderStore(Path(folder))


def odds_folder(config: Config) -> str:
    """Return the folder of the tables of this instance, for workers on this machine."""
    return str(config.instance / FOLDER)


def review_all(team: Team, folder: str | None, on_stored: Callable[[str], None]) -> int:
    """Work out and store what is missing, the latest hands first. Return how many were stored."""
    missing, stored = schedule.of_all(), 0
    for place in range(0, len(missing), AT_A_TIME):
        keys = missing[place : place + AT_A_TIME]
        for finished, document in _worked_out(team, tuple(_readable(keys)), folder):
            if "error" not in document:
                store(finished, document)
                stored += 1
                on_stored(finished.key)
    return stored


def _worked_out(
    team: Team, hands: tuple[Finished, ...], folder: str | None
) -> Iterator[tuple[Finished, dict[str, Any]]]:
    lines = [(finished.notation, folder) for finished in hands]
    db.session.rollback()  # nothing is held while others compute
    yield from zip(hands, team.in_order(review_line, lines), strict=True)


def _readable(keys: tuple[str, ...]) -> Iterator[Finished]:
    """Look the hands up; those whose cards are still sealed have no review yet."""
    for key in keys:
        try:
            yield finished_hand(key)
        except Refusal as error:
            if error.code != "hand-sealed":
                raise
