"""Accessibility of a shared table: axe finds nothing serious in any phase, for any viewer, in both themes."""

import re
from collections.abc import Iterator

from flask import Flask

from tests.e2e.axe import in_both_lights
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.pictures import shoot
from tests.e2e.pushed_recording import LINE, with_bets_open
from tests.e2e.stacked import show
from tests.e2e.table_recording import dealt
from tests.support.clock import Clock
from tests.support.table_players import TablePlayer, banker_of, bet_all, people, players, see_all

CARDS = "8h Th 6d 8s 9s Ad 3c Qc"
"""Those in turn may split, and the bank's seventeen is soft: it has to decide."""
SOON, AWAY, VOID = 3, 130, 900
"""Seconds after which the seat of who leaves has played, an absent one plays by itself, and a round of such is void."""


def phases(app: Flask, clock: Clock) -> Iterator[tuple[str, TablePlayer]]:
    """Yield the name of each phase and who looks at it."""
    with dealt(CARDS):
        host, newcomer = people(app, 2)
        newcomer.come(host.open())
        yield "an invitation", newcomer
        host.now("sit", 0)
        yield "not ready", host
        host.now("ready")
        yield "ready", host
        visitors = with_bets_open(app)
        first, second = players(visitors)
        bank = banker_of(visitors)
        (watcher,) = people(app, 1)
        watcher.come(first.code)
        yield "to bet", first
        yield "to bet: the bank", bank
        yield "to bet: a watcher", watcher
        first.now("bet", 20)
        yield "has bet", first
        bet_all(visitors)
        yield "in turn", first
        yield "not in turn", second
        yield "playing: the bank", bank
        yield "playing: a watcher", watcher
        first.now("split")
        yield "two hands", first
        for _ in range(2):
            first.now("stand")
        second.now("leave")
        yield "leaves", second
        clock.move(SOON)
        see_all(visitors)
        yield "the bank in turn", bank
        bank.now("stand")
        assert bank.phase == "settled"
        yield "settled", first
        yield "settled: the bank", bank
        yield "settled: a watcher", watcher
        visitors = with_bets_open(app)
        bet_all(visitors)
        first, second = players(visitors)
        clock.move(AWAY)
        first.see()
        yield "others are away", first
        clock.move(VOID)
        yield "void", second
        second.see()
        assert second.phase == "waiting"


def test_axe_finds_nothing_serious_in_any_phase(visit: Visit, app: Flask, clock: Clock) -> None:
    page = visit(PHONE)
    page.add_init_script(LINE)  # no events: the server of the page does not have these tables
    page.route(re.compile(r"/t/"), lambda route: route.fulfill(status=204))
    page.goto("/tables")
    wrong = {"the list": found} if (found := in_both_lights(page)) else {}
    for name, who in phases(app, clock):
        address = f"/t/{who.code}"
        show(page, who.get(address, Accept="text/html").text, address)
        found = in_both_lights(page, lambda light, name=name: shoot(page, f"table21-{name}-360x640-{light}"))  # type: ignore[misc]
        if found:
            wrong[name] = found
    assert wrong == {}
