"""The program that computes odds, apart from the site: one that answers, and one that builds tables.

The site keeps one process that answers questions, line by line, from tables that are on disk. Tables that are not yet
there are built by a process of their own, which takes its memory with it when it ends. Both have a lower priority than
the site, and end with it.

A third one works out reviews of finished hands, with all tables that they need: nobody waits for them.

``python -c "from webapp.services.odds.calculator import main; main()" answer|review|LANE FOLDER PARENT``
"""

import fcntl
import json
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from webapp.services.core.other_games import load_games
from webapp.services.odds.answers import answer
from webapp.services.odds.children import REFUSED
from webapp.services.odds.store import FolderStore, build_any, build_none, is_quick, is_simulated
from webapp.setting_texts import words

IDLE_SECONDS: Final = {"answer": 600.0, "review": 60.0}
"""Time without a question after which a process that answers ends."""
LANES: Final[Mapping[str, Callable[[str], bool]]] = {
    "build-quick": is_quick,
    "build-long": build_any,
    "build-simulated": is_simulated,
}
"""Tasks that build, and what they may build: a minute's work for one does not hold up the seconds of others."""


def main() -> None:
    """Answer questions from standard input until it is closed; or build what one question needs."""
    task, folder, parent = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    load_games(words(os.environ.get("TEFUDA_GAMES", "")))
    if task in LANES:
        sys.exit(build(sys.stdin.readline(), folder, task))
    store = FolderStore(folder, build_none if task == "answer" else build_any)
    while select.select([sys.stdin.buffer], [], [], IDLE_SECONDS[task])[0]:
        line = sys.stdin.buffer.readline()
        if not line:
            return
        sys.stdout.write(json.dumps(answer(json.loads(line), store), separators=(",", ":")) + "\n")
        sys.stdout.flush()


def build(line: str, folder: Path, lane: str) -> int:
    """Build the tables that a question needs, in the quick lane only those that are quick, and return an exit status.

    One process of a lane builds at a time: others wait, and then find what they need.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f".{lane}").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = answer(json.loads(line), FolderStore(folder, LANES[lane]))
    return REFUSED if "error" in found else 0


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)
