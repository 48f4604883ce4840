"""Two real servers on one PostgreSQL, with players on both; one is killed during a round."""

import threading
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

import pytest

from tests.support.moves import finished_json
from tests.support.pushed_pages import Pushed, pushed_in
from tests.support.server import Server
from tests.support.table_players import TablePlayer, see_all
from webapp.services.fairness.verification import checks

pytestmark = [pytest.mark.pg, pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)]


class Listener:
    """Reads an event stream in a thread, as a page would."""

    def __init__(self, url: str, code: str) -> None:
        self.versions: list[int] = []
        self.pushed: list[Pushed] = []
        self.heard = threading.Condition()
        self.line = HTTPConnection(urlsplit(url).netloc, timeout=30)
        self.line.request("GET", f"/t/{code}/events?since=1", headers={"Accept": "text/event-stream"})
        self.answer = self.line.getresponse()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        event = ""
        try:
            for said in self.answer:  # read to the end, since a killed server sends nothing more
                event += said.decode()
                if said != b"\n":
                    continue
                self.pushed += pushed_in(event)
                if "event: moved\n" in event:
                    with self.heard:
                        self.versions.append(int(event.partition("data: ")[2]))
                        self.heard.notify_all()
                event = ""
        except (OSError, ValueError, AttributeError, HTTPException):
            pass  # the server was killed
        finally:
            self.answer.close()
            self.line.close()

    def wait_for(self, version: int) -> bool:
        with self.heard:
            return self.heard.wait_for(lambda: max(self.versions, default=0) >= version, timeout=60)


def test_players_of_two_processes_share_a_table_and_one_may_be_killed(
    database_url: str, serving: Callable[..., Server], tmp_path
) -> None:  # type: ignore[no-untyped-def]
    plain = database_url.replace("postgresql+psycopg://", "postgresql://")
    one = serving(tmp_path / "one", TEFUDA_DATABASE_URL=plain)
    two = serving(tmp_path / "two", TEFUDA_DATABASE_URL=plain)
    alice, bob, carol = TablePlayer(one.url), TablePlayer(two.url), TablePlayer(two.url)
    code = alice.open(turn_clock=2, bet_clock=10)
    for number, visitor in enumerate((alice, bob, carol)):
        visitor.come(code)
        visitor.now("sit", number)
        assert visitor.status == 200, visitor.answer.text
    here, there = Listener(one.url, code), Listener(two.url, code)
    for visitor in (alice, bob, carol):
        visitor.now("ready", cut=f"cut-of-{visitor.you}")
        assert visitor.status == 200
    assert here.wait_for(alice.see()["version"])
    assert there.wait_for(alice.version), "a process hears what the other did"
    assert there.pushed[-1].version >= alice.version, "and pushes it to who looks on there"
    assert here.pushed
    committed = alice.table["commitment"]

    # one process is killed while the bets are open
    one.kill()
    see_all([bob, carol])
    betting = [visitor for visitor in (bob, carol) if "bet" in visitor.table["actions"]]
    is_late = not carol.table["seats"][2]["playing"]  # on a slow machine the first round begins without the third
    assert betting or is_late, f"at most one of them is the banker: {bob.table}"
    for visitor in betting:
        visitor.now("bet", 40, cut=f"bet-of-{visitor.you}")
        assert visitor.status == 200, visitor.answer.text
    # no requests: the remaining process handles the deadlines of the player who cannot act
    before = bob.see()["version"]
    assert there.wait_for(before + 1)
    assert there.pushed[-1].version > before
    assert all("data-seated" not in pushed.text for pushed in there.pushed)

    # the server is restarted on the same database, and the player returns
    again = serving(tmp_path / "one", TEFUDA_DATABASE_URL=plain)
    alice.line.address = urlsplit(again.url).netloc
    ended: dict[str, None] = {}
    for _ in range(80):
        see_all([alice, bob, carol])
        ended |= {visitor.table["last"]: None for visitor in (alice, bob, carol) if visitor.table["last"]}
        if ended or alice.phase not in ("betting", "playing"):
            break
        for visitor in (alice, bob, carol):
            verb = next((verb for verb in ("stand", "hit") if verb in visitor.table["actions"]), None)
            if verb:
                visitor.do(verb)
                assert visitor.status in (200, 409)
        ended |= {visitor.table["last"]: None for visitor in (alice, bob, carol) if visitor.table["last"]}
        nobody_can = not ended and all("stand" not in each.table["actions"] for each in (alice, bob, carol))
        there.wait_for(bob.version + 1) if nobody_can else None
    assert alice.see()["last"]
    assert alice.table["last"] == bob.see()["last"]
    # on a slow machine a second round may be over by now: the first one is meant
    hand = finished_json(alice, next(iter(ended | {alice.table["last"]: None})).removeprefix("/h/"))
    assert hand["proof"]["commitment"] == committed
    assert all(check.ok for check in checks(hand))
    assert sum(seat["net"] for seat in hand["seats"]) == 0
