"""``tefuda daily``: the commitments of the coming days, whether the site is running or not."""

from collections.abc import Callable

from flask import Flask

from tests.support.command_line import CommandResult
from tests.support.player import Player
from tests.support.rows import row
from webapp.services.deals.daily import AHEAD, TABLES


def test_the_command_publishes_the_coming_week_once(
    app: Flask, alice: Player, tefuda: Callable[..., CommandResult]
) -> None:
    first, again = tefuda("daily", "--json"), tefuda("daily", "--json")
    assert (first.status, again.json) == (0, first.json)
    assert len(first.json) == AHEAD * len(TABLES)
    assert row(app, "SELECT count(*) FROM daily_deal") == ((AHEAD + 1) * len(TABLES),)
    alice.get("/daily")
    assert alice.answer.json["coming"] == first.json
    assert tefuda("daily").out.split() == [text for each in first.json for text in each.values()]
