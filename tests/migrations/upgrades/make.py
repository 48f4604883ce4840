"""Play on an older version of the site and store its database and cookies, for ``test_upgrades``.

    git worktree add ../old 9988815
    python -m tests.migrations.upgrades.make ../old tests/migrations/upgrades/9988815

It uses only the JSON interface, so that it can play on any version. Its files are made once and only added to:
``database.sqlite`` (hands and rounds, finished and in play), ``cookies.json`` (the cookie of each player, with the hand
or table) and ``pages.json`` (the JSON of everything that was finished).
"""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.cookies import cookie_of
from tests.support.moves import asked, dealt, finished, sealed
from tests.support.player import Player
from tests.support.server import free_port, wait_until_healthy
from tests.support.table_players import TablePlayer, bet_all, play_out, see_all

KEY = "the key of the site that was upgraded"
OWN_RULES = "vegas,decks=2,soft_17=hit,lose=all,surrender=late"


def main(checkout: Path, target: Path) -> None:
    """Run the site of ``checkout`` in its own folder, play, and write the three files."""
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        port, log = free_port(), Path(folder, "serve.log")
        clean = {name: value for name, value in os.environ.items() if not name.startswith("TEFUDA_")}
        settings = {"PYTHONPATH": str(checkout), "TEFUDA_INSTANCE": folder, "TEFUDA_SECRET_KEY": KEY}
        settings["TEFUDA_RATE_LIMITS"] = "off"
        command = [sys.executable, "-c", "from webapp.cli import main; main()", "serve", "--port", str(port)]
        with log.open("wb") as out:
            server = subprocess.Popen(command, cwd=checkout, env={**clean, **settings}, stdout=out, stderr=out)
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until_healthy(url, server, log)
            cookies, pages = play(url)
        finally:
            server.terminate()
            server.wait()
        copy(Path(folder, "tefuda.sqlite3"), target / "database.sqlite")
    write(target / "cookies.json", cookies)
    write(target / "pages.json", pages)


def play(url: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return cookies by player, and finished pages by address, as they are at the end."""
    pages: list[str] = []
    solo = [in_double_up(url, pages), between_exchanges(url, pages), in_a_shoe(url, pages), before_the_deal(url, pages)]
    tables = [in_a_round(url, pages), while_betting(url, pages)]
    pages.append(lab_job(url))
    people = [each for part in (*solo, *tables) for each in part.items()]
    return dict(people), {address: Player(url).get(address).json for address in pages}


def kept(player: Player, **more: Any) -> dict[str, Any]:
    return {"cookie": cookie_of(player), **more}


def in_double_up(url: str, pages: list[str]) -> dict[str, Any]:
    """Play quest poker until a card of the double-up is open, after a finished hand."""
    player = Player(url)
    asked(player)
    player.post("/settings", [("name", "Ada")])
    assert player.status == 303, player.answer.text
    player.act("collect")
    pages.append(f"/h/{player.hand}.json")
    asked(player)
    player.act("double")
    assert "pick-1" in player.actions, player.board
    return {"in double-up": kept(player, game="poker", hand=player.hand)}


def between_exchanges(url: str, pages: list[str]) -> dict[str, Any]:
    """Play joker poker with three exchanges: one is done, and a card is marked."""
    player = Player(url)
    dealt(player, game="joker", table="arcade-double", stakes=(5,))
    pages.append(f"/h/{finished(player)}.json")
    dealt(player, game="joker", table="arcade-double", stakes=(5,))
    player.act("hold", 1, 2)
    player.post(f"/play/joker/{player.hand}/{player.step}", [("verb", "mark"), ("arg", "4")])
    assert player.status == 200, player.answer.text
    return {"between exchanges": kept(player, game="joker", hand=player.hand)}


def in_a_shoe(url: str, pages: list[str]) -> dict[str, Any]:
    """Finish a hand of blackjack by own rules, then leave one in the middle of a shoe, with one of two boxes played."""
    player = Player(url)
    dealt(player, game="blackjack", table=OWN_RULES, stakes=(10,))
    pages.append(f"/h/{finished(player)}.json")
    for _ in range(3):
        dealt(player, game="blackjack", table="vegas", stakes=(10, 25))
        pages.append(f"/h/{finished(player)}.json")
    while True:
        board = dealt(player, game="blackjack", table="vegas", stakes=(10, 25))
        if "stand" in player.actions:
            player.do("stand")
        if not player.over and player.step and board["shoe"]["offset"]:
            break
        pages.append(f"/h/{finished(player)}.json")
    return {"in a shoe": kept(player, game="blackjack", hand=player.hand)}


def before_the_deal(url: str, pages: list[str]) -> dict[str, Any]:
    """Sit down to all three games; their seeds are in the cookie only."""
    player = Player(url)
    hands = {}
    for game in ("poker", "joker", "blackjack"):
        sealed(player, game)
        hands[game] = player.hand
    assert not any(f"/h/{key}.json" in pages for key in hands.values())
    return {"before the deal": kept(player, hands=hands)}


def company(url: str, names: tuple[str, ...], pages: list[str]) -> list[TablePlayer]:
    """Return people at a table of their own after a finished round, with the bets of the next one open."""
    visitors = [TablePlayer(url) for _ in names]
    code = visitors[0].open(bet_clock=60, turn_clock=60)
    for number, (visitor, name) in enumerate(zip(visitors, names, strict=True)):
        visitor.come(code)
        visitor.now("sit", number)
        visitor.post("/settings", [("name", name)])
    ready(visitors)
    bet_all(visitors)
    play_out(visitors)
    see_all(visitors)
    pages.append(f"{visitors[0].table['last']}.json")
    ready(visitors)
    assert visitors[0].phase == "betting", visitors[0].answer.text
    return visitors


def ready(visitors: list[TablePlayer]) -> None:
    for visitor in visitors:
        visitor.now("ready")
    see_all(visitors)


def in_a_round(url: str, pages: list[str]) -> dict[str, Any]:
    """Leave three people in their second round, with a card drawn if possible."""
    visitors = company(url, ("Bea", "Cem", "Dai"), pages)
    bet_all(visitors)
    while visitors[0].phase != "playing":  # over with the deal
        pages.append(f"{visitors[0].table['last']}.json")
        ready(visitors)
        bet_all(visitors)
    acting = next(visitor for visitor in visitors if visitor.you == visitor.table["acting"])
    if "hit" in acting.table["actions"]:
        acting.do("hit")
        see_all(visitors)
    return {
        f"in a round, {n}": kept(visitor, table=visitor.code, seat=visitor.you) for n, visitor in enumerate(visitors)
    }


def while_betting(url: str, pages: list[str]) -> dict[str, Any]:
    """Leave three people at a table of which one has bet."""
    visitors = company(url, ("Eno", "Fay", "Gil"), pages)
    first = next(visitor for visitor in visitors if "bet" in visitor.table["actions"])
    first.do("bet", 20, cut="old-cut")
    assert first.phase == "betting", first.answer.text
    return {
        f"while betting, {n}": kept(visitor, table=visitor.code, seat=visitor.you) for n, visitor in enumerate(visitors)
    }


def lab_job(url: str) -> str:
    """Finish a comparison; return its address."""
    player = Player(url)
    fields = {"table": "vegas", "strategy": "basic", "other_table": OWN_RULES, "other_strategy": "mimic"}
    fields |= {"rounds": "20000", "seed": "7"}
    player.post("/lab", list(fields.items()))
    assert player.status in (200, 201, 202), player.answer.text
    address = f"/lab/{player.answer.json['run']}.json"
    while player.get(address).json["status"] not in ("done", "failed"):
        time.sleep(0.2)
    assert player.answer.json["status"] == "done", player.answer.text
    return address


def copy(source: Path, target: Path) -> None:
    """Copy the database into one small file."""
    target.unlink(missing_ok=True)
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
        for pragma in ("journal_mode = DELETE", "page_size = 512"):
            new.execute(f"PRAGMA {pragma}")
        new.execute("VACUUM")


def write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
