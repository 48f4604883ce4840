"""Moves of the banker without an alternative are played at once, and marked as such."""

import re

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.clock import Clock
from tests.support.moves import finished_json
from tests.support.player import Json
from tests.support.rows import findings
from tests.support.table_players import (
    TablePlayer,
    banker_of,
    bet_all,
    betting,
    finished,
    people,
    play_out,
    players,
    see_all,
)
from webapp.engine.games.table21.game import Table21Game
from webapp.services.fairness.verification import checks

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def begin(visitors: list[TablePlayer]) -> None:
    """Become ready if bets are not open yet, and bet."""
    for visitor in visitors:
        if "ready" in visitor.see()["actions"]:
            visitor.do("ready")
    see_all(visitors)
    bet_all(visitors)


def by_the_bank(hand: Json) -> list[tuple[str, str | None, str | None]]:
    """Return verb, policy and reason of each move of the banker."""
    place = [seat["banker"] for seat in hand["seats"]].index(True)
    moves = zip(hand["moves"], hand["autos"], hand["reasons"], strict=True)
    parted = [(*move.partition("@")[::2], auto, reason) for move, auto, reason in moves]
    return [(verb, auto, reason) for verb, seat, auto, reason in parted if int(seat or 0) == place]


def round_with(visitors: list[TablePlayer], *verbs: str) -> Json:
    """Play rounds until a player stood and the bank made exactly these forced moves; return the last one."""
    for _ in range(300):
        begin(visitors)
        play_out(visitors)
        hand = finished(visitors[0])
        player_stood = len(hand["moves"]) == 1 + len(verbs)  # after a natural only the banker acts
        if player_stood and by_the_bank(hand) == [(verb, "bank", "forced") for verb in verbs]:
            return hand
    raise AssertionError(f"no banker plays {verbs}")


def test_the_banker_is_asked_only_where_there_is_a_choice(app: Flask, clock: Clock) -> None:
    visitors = betting(app, 3)
    asked, forced, rounds = 0, 0, 0
    while not (asked and forced > 20):  # about one banker in fifteen holds a soft 17 to 20
        begin(visitors)
        rounds += 1
        assert rounds < 500
        while visitors[0].phase == "playing":
            banker = banker_of(visitors)
            acting = next(visitor for visitor in visitors if visitor.you == visitor.table["acting"])
            if acting is banker:
                assert {"hit", "stand"} <= set(banker.table["actions"]), "nobody is asked for what has no alternative"
                asked += 1
            acting.do("stand")
            see_all(visitors)
        forced += len([reason for _, _, reason in by_the_bank(finished(visitors[0])) if reason == "forced"])
    assert findings(app) == []


@pytest.mark.parametrize("verbs", [("stand",), ("hit", "stand"), ("hit",)])
def test_forced_moves_are_recorded_with_their_reason_and_the_proof_holds(
    app: Flask, clock: Clock, verbs: tuple[str, ...]
) -> None:
    visitors = betting(app, 2)
    hand = round_with(visitors, *verbs)
    assert all(check.ok for check in checks(hand))
    assert hand["seats"][0]["net"] + hand["seats"][1]["net"] == 0
    page = visitors[0].get(f"/h/{hand['hand']}", Accept="text/html").text
    assert "by the rule of the bank" in page
    assert "by the rule of the bank" in visitors[0].get(f"/h/{hand['hand']}.txt").text
    assert findings(app) == []


def test_all_that_came_at_once_is_said_and_logged(app: Flask, clock: Clock) -> None:
    visitors = betting(app, 2)
    round_with(visitors, "hit", "stand")
    codes = [label["code"] for label in visitors[0].see()["said"]]
    assert codes[1:4] == ["BANK_TURNS", "BANK_DREW", "BANK_STANDS"], "the first is what the player did"
    logged = [line for line in visitors[0].table["log"] if line["auto"]]
    assert [line["auto"] for line in logged] == 2 * [{"policy": "bank", "reason": "forced"}]


def test_the_clock_leaves_time_to_see_each_forced_move(app: Flask, clock: Clock) -> None:
    visitors = betting(app, 2)
    round_with(visitors, "hit", "stand")
    assert visitors[0].see()["deadline"] - visitors[0].table["now"] == pytest.approx(9 + 2 * 0.7, abs=0.01)


def test_a_fragment_has_each_step_that_a_page_has_not_seen(app: Flask, clock: Clock) -> None:
    visitors = betting(app, 2)
    round_with(visitors, "hit", "stand")
    (watcher,) = people(app, 1)
    watcher.come(visitors[0].code)
    for viewer in (*visitors, watcher):
        fragment = viewer.get(f"/t/{viewer.code}", **FORMS["fragment"]).text
        state = fragment.partition("</hx-partial>")[0]
        room, *steps = re.split(r"<template data-step=", state)
        moves = int(re.findall(r'data-moves="(\d+)"', room)[0])
        assert [int(step.partition('"')[2].partition('"')[0]) for step in steps] == [moves - 2, moves - 1]
        assert "Below 17 the bank draws." in steps[0]
        assert "From 17 on the bank stands." in steps[1]
        docks = re.findall(r'data-part="dock".*?</section>', state, re.DOTALL)
        assert len(docks) == (viewer is not watcher), "a watcher's is a form to sit down, whoever acts"
        assert all(("turn." in dock) == (viewer is not banker_of(visitors)) for dock in docks)
        banks = [step[step.index("place--banker") :].partition("</section>")[0] for step in steps]
        assert [bank.count("card__face") for bank in banks] == [2, 3]
        assert not any(re.search(r"(won|lost|blackjack|push|[+−]\d)", step, re.IGNORECASE) for step in steps)
        page = viewer.get(f"/t/{viewer.code}", Accept="text/html").text
        assert "<template data-step" not in page, "without scripts there is nothing to wait for"


def test_a_banker_is_told_why_the_second_card_is_not_turned(app: Flask, clock: Clock) -> None:
    visitors = betting(app, 2)
    for prefer, is_hidden in ((("stand",), False), (("hit", "stand"), True)):
        for _ in range(50):
            begin(visitors)
            play_out(visitors, prefer)
            page = banker_of(visitors).get(f"/t/{visitors[0].code}", Accept="text/html").text
            if ("Face-down card" in page) == is_hidden:
                break
        assert ("your second card stays face down" in page) == is_hidden


def test_a_round_that_an_older_version_left_open_goes_on(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitors = betting(app, 2)
    for _ in range(120):
        with monkeypatch.context() as older:
            older.setattr(Table21Game, "forced", lambda *_: None)
            begin(visitors)
            if visitors[0].phase == "playing" and visitors[0].table["acting"] == players(visitors)[0].you:
                players(visitors)[0].now("stand")
            see_all(visitors)
        banker = banker_of(visitors)
        if banker.phase == "playing" and "stand" not in banker.table["actions"]:
            break
        play_out(visitors)
    assert banker.table["acting"] == banker.you, "it waits for a move that has no alternative"
    banker.do("hit")
    assert banker.status == 200
    play_out(visitors)
    hand = finished_json(banker, banker.see()["last"].removeprefix("/h/"))
    (first, auto, reason), *_ = by_the_bank(hand)
    assert (first, auto, reason) == ("hit", None, None), "the player made it"
    assert all(check.ok for check in checks(hand))
    assert findings(app) == []
