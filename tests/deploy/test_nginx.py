"""The nginx configuration of ``docs/deploy``, in front of two processes on PostgreSQL.

Only host name, ports, certificate and folders are changed.
"""

import re
import socket
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.deploy.conftest import Site
from tests.support import nginx
from tests.support.moves import dealt_and_live, finished
from tests.support.raw_clients import TOKEN
from tests.support.request_threads import (
    OpenPage,
    SoloPlayer,
    TableCompany,
    at_work,
    require_no_failure,
    wait_for_more,
    wait_until,
)

VISITOR, OTHER = "127.0.0.5", "127.0.0.6"

pytestmark = [pytest.mark.slow, pytest.mark.pg]


def companies(site: Site, address: str) -> list[TableCompany]:
    """Return three players each at two shared tables, which are served by different processes.

    ``address``: the beginning of their local addresses, by which new players are limited.
    """
    found: dict[int, TableCompany] = {}
    for number in range(40):
        company = TableCompany([site.person(f"{address}.{number + 1}") for _ in range(3)], number)
        found.setdefault(site.process_of_table(company.code, f"{address}.{number + 101}"), company)
        if len(found) == 2:
            return [found[0], found[1]]
    raise AssertionError("all tables come to one process")


def solo_players(site: Site) -> list[SoloPlayer]:
    return [SoloPlayer(site.player(), game, seed) for seed, game in enumerate(("blackjack", "joker", "poker"))]


def test_who_looks_on_at_a_table_comes_to_one_process_while_it_stands(site: Site) -> None:
    owner = site.person()
    looks_on = {f"127.0.0.{number}": owner.open(bot="0") for number in range(20, 24)}

    def all_look() -> None:
        for address, code in looks_on.items():
            assert {site.get(f"/t/{code}{end}", address)[0] for end in ("", "?still=1", "", ".png")} == {200}

    all_look()
    seen = [{line["address"] for line in site.logged(number)} for number in range(2)]
    assert all(sum(address in here for here in seen) == 1 for address in looks_on)
    site.processes[0 if seen[0] & looks_on.keys() else 1].kill()
    all_look()


def test_a_process_that_is_killed_in_mid_round_takes_nobody_along(site: Site) -> None:
    """At shared tables and in solo games all acknowledged moves are kept, no request fails, and all go on playing.

    nginx sends a request to the other process, unless the one that is killed has sent the headers of its answer, and not
    the rest. Then pages repeat it.
    """
    tables, alone = companies(site, "127.0.1"), solo_players(site)
    crowd, killed = [*tables, *alone], tables[0]
    for person in (*(person for table in tables for person in table.people), *(each.player for each in alone)):
        person.line.repeats = True
    with at_work(crowd):
        wait_for_more(crowd, 5)
        wait_until(crowd, lambda: killed.in_mid_round and all(table.moves for table in tables))
        site.processes[0].kill()
        wait_for_more(crowd, 10)
    for each in crowd:
        each.finish()
    assert all(each.require_kept() > 0 for each in crowd)
    site.require_clean_books()


def test_a_rolling_restart_drops_nobody(site: Site) -> None:
    """No request of a player fails; streams end, are reopened, and receive the next move."""
    tables, alone = companies(site, "127.0.2"), solo_players(site)
    pages = [OpenPage(person.line, table.code) for table in tables for person in table.people]
    pages += [OpenPage(site.line(), table.code) for table in tables]
    crowd = [*tables, *alone]
    with at_work(pages):
        with at_work(crowd):
            wait_until(pages, lambda: all(page.version > 0 for page in pages))
            for number, table in enumerate(tables):
                wait_for_more(crowd, 3)
                cut_off = {page: page.opened for page in pages if page.code == table.code}
                assert site.processes[number].stop() == 0
                site.start(number)
                wait_until(pages, lambda: all(page.opened > before for page, before in cut_off.items()))  # noqa: B023
            wait_for_more(crowd, 3)
        for table in tables:
            table.people[0].now("policy", "basic")
            assert table.people[0].status == 200
        latest = {table.code: table.people[0].version for table in tables}
        wait_until(pages, lambda: all(page.version >= latest[page.code] for page in pages))
        require_no_failure(pages)
    for each in crowd:
        each.finish()
    assert all(each.require_kept() > 0 for each in crowd)
    site.require_clean_books()


def test_limits_count_the_address_that_nginx_has_seen(site: Site) -> None:
    """A forged header neither evades a limit nor makes another address pay for it."""
    path = f"/t/{site.person().open()}.png"  # of a table, so that one process counts all of them

    def ask(address: str, claimed: str) -> int:
        return site.get(path, address, X_Forwarded_For=claimed)[0]

    said = [ask(VISITOR, f"10.0.0.{number}, {OTHER}") for number in range(61)]
    assert said == [200] * 60 + [429]
    assert ask(VISITOR, "10.9.8.7") == ask(VISITOR, "") == 429
    assert ask(OTHER, VISITOR) == ask(OTHER, "") == 200
    assert {line["address"] for line in site.logged()} >= {VISITOR, OTHER}
    assert not [line for line in site.logged() if str(line["address"]).startswith("10.")]


def test_https_ends_at_nginx_and_the_site_knows(site: Site) -> None:
    connection = HTTPConnection("127.0.0.1", site.http_port, timeout=30)
    connection.request("GET", "/rules/poker?table=quest")
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Location")) == (301, "https://127.0.0.1/rules/poker?table=quest")
    connection.close()
    alice = site.person()
    code = alice.open()
    cookie = alice.answer.headers["set-cookie"]
    assert cookie.startswith("__Host-tefuda=") and {"Secure", "HttpOnly", "Path=/"} <= set(cookie.split("; ")), cookie
    assert alice.line.cookies.keys() == {"__Host-tefuda"}
    for path in ("/", f"/t/{code}", "/static/css/base.css"):
        status, headers, _ = site.get(path)
        assert (status, headers.get("strict-transport-security")) == (200, "max-age=31536000"), path
    assert f'<link rel="canonical" href="{site.url}' in site.get("/h/" + _poker(site))[2].decode()
    line = site.certificate.trusting.wrap_socket(
        socket.create_connection(("127.0.0.1", int(site.url.rpartition(":")[2])), timeout=30),
        server_hostname="127.0.0.1",
    )
    with line:
        line.sendall(f"GET /t/{code}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        _hear(line, b"event: moved")
        alice.do("sit", 0)
        assert alice.status == 200
        _hear(line, f"data: {alice.version}".encode())


def _poker(site: Site) -> str:
    """Return the key of a finished hand."""
    player = site.player()
    dealt_and_live(player, "poker")
    return finished(player)


def _hear(line: socket.socket, word: bytes) -> None:
    heard = b""
    while word not in heard:
        more = line.recv(10_000)
        assert more, "the stream has ended"
        heard += more


def test_bodies_and_caches_are_as_the_site_of_nginx_says(site: Site) -> None:
    # bodies that are too long are refused by nginx
    before = len(site.logged())
    bob = site.player()
    assert bob.line.ask("POST", "/settings", [("name", "x" * 20_000)], {}).status == 413
    assert len(site.logged()) == before
    # finished hands are cached by nginx; pages of players are not
    dealt_and_live(bob, "blackjack")
    key = finished(bob)
    poker = _poker(site)
    said = [site.get(f"/h/{poker}.json") for _ in range(3)]
    assert [status for status, *_ in said] == [200] * 3, said
    assert [headers["x-cache"] for _, headers, _ in said] == ["MISS", "HIT", "HIT"]
    assert len({body for *_, body in said}) == 1
    assert site.get(f"/h/{poker}.json", Accept_Language="ja")[2] != said[0][2], "sentences in another language"
    pictures = [site.get(f"/h/{poker}.png")[:2] for _ in range(2)]
    assert [status for status, _ in pictures] == [200] * 2, pictures
    assert [headers["x-cache"] for _, headers in pictures] == ["MISS", "HIT"]
    assert "x-cache" not in site.get(f"/h/{key}")[1]
    assert "set-cookie" not in said[0][1]
    # the operator's addresses are not public
    assert site.get("/readyz")[0] == 200
    assert site.get("/readyz", VISITOR)[0] == 403
    assert site.get("/metrics", Authorization=f"Bearer {TOKEN}")[0] == 404, "it would be that of either process"


def test_nginx_can_make_the_folder_of_its_cache_where_debian_has_installed_it() -> None:
    """nginx creates the last folder of the path only; with a deeper path it refuses the configuration."""
    path = re.search(r"^proxy_cache_path (\S+)", nginx.SITE.read_text("utf-8"), re.MULTILINE)
    assert path and Path(path[1]).parent == Path("/var/cache")
