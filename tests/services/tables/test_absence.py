"""Absent players: their seats are played automatically and given up later; a round without anybody is void."""

import re

import pytest
from flask import Flask

from tests.support.clock import Clock
from tests.support.player import Json
from tests.support.rows import findings
from tests.support.table_players import (
    TablePlayer,
    banker_of,
    finished,
    keep_alive,
    people,
    players,
    playing,
    seated,
    see_all,
)
from webapp import engine
from webapp.adapter import REFUSED
from webapp.engine import notation
from webapp.engine.games import COMPANY
from webapp.services.fairness.verification import checks

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def play_on(there: TablePlayer, clock: Clock) -> None:
    """Play to the end of the round with people who have gone."""
    for _ in range(30):
        keep_alive([there], clock, 5)
        if there.phase == "playing" and there.table["acting"] == there.you:
            there.do("stand" if "stand" in there.table["actions"] else "hit")
        if there.phase != "playing":
            break


def watched_to_the_end(watcher: TablePlayer, code: str, clock: Clock) -> Json:
    """Let only a watcher be present; return the finished round."""
    for _ in range(30):
        clock.move(31)  # longer than anybody may be silent: a round may need no more than one turn
        watcher.come(code)
        if watcher.phase != "playing":
            break
    return finished(watcher)


def test_who_gives_no_sign_of_life_is_on_auto_and_any_sign_takes_the_seat_back(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2, turn_clock=300)
    gone, there = banker_of(visitors), players(visitors)[0]
    keep_alive([there], clock, 28)
    assert not there.seat(gone.you)["auto"]
    keep_alive([there], clock, 8)
    assert there.seat(gone.you)["auto"]
    gone.see()
    assert not gone.seat()["auto"], "looking is a heartbeat"
    assert not there.see()["seats"][0]["auto"]


def test_the_winnings_of_the_absent_are_paid_and_the_seat_is_free(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2, turn_clock=40)
    gone, there = players(visitors)[0], banker_of(visitors)
    number = gone.you
    play_on(there, clock)
    hand = finished(there)
    assert hand["status"] == "done", "one of them was there"
    (net,) = [seat["net"] for seat in hand["seats"] if not seat["banker"]]
    assert number in there.see()["free"]
    gone.see()
    gone.do("sit", number)
    assert gone.chips == 1000 + net
    assert findings(app) == []


def test_if_all_seats_are_on_auto_the_round_is_void_and_the_stakes_return(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 3)
    (watcher,) = people(app, 1)
    hand = watched_to_the_end(watcher, visitors[0].code, clock)
    assert hand["status"] == "void"
    assert [seat["net"] for seat in hand["seats"]] == [0, 0]
    assert hand["proof"]["seed"], "what had a cut is revealed"
    assert watcher.table["free"] == [0, 1, 2, 3, 4]
    assert findings(app) == []
    page = watcher.get(f"/h/{hand['hand']}", Accept="text/html").text
    assert "This round is void" in page
    assert set(hand["reasons"]) <= {"late", "away", "forced"}
    assert [reason for reason in hand["reasons"] if reason != "forced"][-1] == "away"


def test_who_comes_back_to_a_round_that_will_be_void_changes_nothing(app: Flask, clock: Clock) -> None:
    """It is decided once, when nobody is left; otherwise a player could look at the cards and choose."""
    visitors = playing(app, 3, turn_clock=60)
    (watcher,) = people(app, 1)
    clock.move(31)
    watcher.come(visitors[0].code)
    assert watcher.phase == "playing" and all(seat["auto"] for seat in watcher.table["seats"])
    clock.move(2)
    comes_back = players(visitors)[0]
    comes_back.see()
    assert not comes_back.seat()["auto"]
    hand = watched_to_the_end(watcher, visitors[0].code, clock)
    assert (hand["status"], {seat["net"] for seat in hand["seats"]}) == ("void", {0})
    assert findings(app) == []


def test_a_void_round_lists_no_payouts_that_nobody_got(app: Flask, clock: Clock) -> None:
    """Automatic moves play it to its end, so the cards show who would have won, but nothing is paid."""
    visitors = playing(app, 2)
    (watcher,) = people(app, 1)
    hand = watched_to_the_end(watcher, visitors[0].code, clock)
    assert (hand["status"], hand["payouts"]) == ("void", [])
    assert [seat["payout"] for seat in hand["seats"]] != [0, 0], "their stakes are back"
    assert hand["notation"].split()[-1] == "void"
    assert notation.dumps(notation.loads(hand["notation"])) == hand["notation"]
    assert all(check.ok for check in checks(hand))
    assert not all(check.ok for check in checks(hand | {"payouts": [20, 0]}))


WON_OR_LOST = re.compile(r"\b(wins?|won|lost?|loses|bust|beats)\b|[+−][1-9]", re.IGNORECASE)


@pytest.mark.parametrize("absentees", [2, 4])
def test_a_void_round_shows_no_winner_and_no_loser_anywhere(app: Flask, clock: Clock, absentees: int) -> None:
    """Not even where the cards lie open and somebody would have won: nobody has."""
    for _ in range(12):
        visitors = playing(app, absentees, bets=50)
        watcher, late = people(app, 2)
        hand = watched_to_the_end(watcher, visitors[0].code, clock)
        record = notation.loads(hand["notation"])
        state = engine.replay(COMPANY, record.setup, record.moves)
        result = COMPANY.result(state)
        assert result is not None
        if result.payouts != COMPANY.committed(state):
            break
    else:
        raise AssertionError("twelve rounds, and all even")
    late.come(visitors[0].code)
    returns = visitors[1]
    returns.see()
    for table in (watcher.see(), returns.table):
        lying = [seat for seat in table["seats"] if seat["hands"]]
        assert {seat["net"] for seat in lying} == {0}
        assert {shown["outcome"] for seat in lying for shown in seat["hands"]} == {"VOID"}
        assert {shown["net"] for seat in lying for shown in seat["hands"]} <= {0, None}
        assert (table["result"]["payouts"], [label["code"] for label in table["result"]["labels"]]) == ([], ["VOID"])
        labels = [*table["said"], *(line["label"] for line in table["log"])]
        assert not any(label["code"].endswith(("_WON", "_LOST", "_EVEN")) for label in labels)
    table_page, hand_page = f"/t/{watcher.code}", f"/h/{hand['hand']}"
    steps = [f"{hand_page}?step={step}" for step in range(len(hand["moves"]) + 1)]
    shown = {page: main_text(watcher.get(page, Accept="text/html").text) for page in (table_page, hand_page, *steps)}
    shown["returned"] = main_text(returns.get(table_page, Accept="text/html").text)
    shown[".txt"] = watcher.get(f"{hand_page}.txt", Accept="text/plain").text.partition("\ntf1 ")[0]
    for page, words in shown.items():
        assert re.search("void", words, re.IGNORECASE), page
        assert not (found := WON_OR_LOST.search(words)), (page, found, words)


def main_text(page: str) -> str:
    """Return what stands on a page, without the tags."""
    main = page[page.index("<main") : page.index("</main>")]
    return " ".join(re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", main, flags=re.DOTALL).split())


def test_a_table_may_close_when_somebody_stays_away(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2, on_absent="close", turn_clock=40)
    there = banker_of(visitors)
    play_on(there, clock)
    assert finished(there)["status"] == "done", "it is counted"
    assert there.phase == "closed"
    assert there.table["actions"] == []
    there.do("sit", 0)
    assert (there.status, there.answer.json["error"]) == (422, "table-closed")


def test_where_one_is_soon_taken_for_absent_who_only_waits_is_there(app: Flask, clock: Clock) -> None:
    """A page sends heartbeats three times as often as it takes to become absent."""
    visitors = playing(app, 2, absent_after=4, turn_clock=60)
    for _ in range(12):
        clock.move(1.4)
        for visitor in visitors:
            visitor.see()
            assert [seat["auto"] for seat in visitor.table["seats"]] == [False, False]
    assert visitors[0].phase == "playing"


def test_a_player_who_is_refused_for_lack_of_threads_counts_as_present(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2, absent_after=4, turn_clock=60)
    for _ in range(12):
        clock.move(1.4)
        for visitor in visitors:
            client = visitor.line.client  # type: ignore[union-attr]
            full = client.get(f"/t/{visitor.code}?since=1", environ_overrides={REFUSED: 503})
            assert (full.status_code, full.headers["Retry-After"]) == (503, "5")
    for visitor in visitors:
        visitor.see()
        assert [seat["auto"] for seat in visitor.table["seats"]] == [False, False]


def test_who_is_away_between_rounds_is_not_dealt_in(app: Flask, clock: Clock) -> None:
    visitors = seated(app, 3)
    visitors[0].now("ready")
    keep_alive(visitors[1:], clock, 40)
    visitors[1].now("ready")
    assert visitors[1].phase == "waiting", "nobody is there to play with"
    visitors[2].now("ready")
    assert visitors[2].phase == "betting"
    assert visitors[2].table["free"] == [0, 3, 4]


def test_who_was_away_while_another_got_ready_can_still_begin_a_round(app: Flask, clock: Clock) -> None:
    visitors = seated(app, 2)
    visitors[0].now("ready")
    keep_alive(visitors[1:], clock, 40)
    visitors[1].now("ready")
    see_all(visitors)
    assert visitors[0].phase == "waiting"
    assert "ready" in visitors[0].table["actions"]
    visitors[0].do("ready")
    assert visitors[0].phase == "betting"


def test_an_empty_chair_is_given_free_after_a_while(app: Flask, clock: Clock) -> None:
    visitors = seated(app, 2)
    keep_alive(visitors[1:], clock, 200)
    assert visitors[1].table["free"] == [0, 2, 3, 4]
