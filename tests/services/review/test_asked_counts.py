"""What is the count? Asked between two rounds, answered once, judged by a recount of all cards seen."""

import re
from collections.abc import Iterator
from html import unescape
from random import Random
from typing import Any

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.player import Json, Player
from tests.support.rows import all_rows, findings, rows

GAME = "/play/blackjack"
PAGE, FRAGMENT = FORMS["page"], FORMS["fragment"]
FORM = '<form class="ask__form"'
TAGS = {
    "hi-lo": dict(zip("A23456789T", (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1), strict=True)),
    "ko": dict(zip("A23456789T", (-1, 1, 1, 1, 1, 1, 1, 0, 0, -1), strict=True)),
    "hi-opt-2": dict(zip("A23456789T", (0, 1, 1, 2, 2, 1, 1, 0, 0, -2), strict=True)),
    "zen": dict(zip("A23456789T", (-1, 1, 1, 2, 2, 2, 1, 0, 0, -2), strict=True)),
    "1,-2,0,3,0,1,0,0,0,-1": dict(zip("A23456789T", (1, -2, 0, 3, 0, 1, 0, 0, 0, -1), strict=True)),
    "-2,1,1,1,2,1,1,0,-1,-1": dict(zip("A23456789T", (-2, 1, 1, 1, 2, 1, 1, 0, -1, -1), strict=True)),
}
SURPLUS = {"ko": 4, "1,-2,0,3,0,1,0,0,0,-1": -4}
"""Of a deck, by those that are not balanced."""
DECKS = {"vegas": 6, "downtown": 2, "single": 1, "vegas,decks=8": 8}


def played(player: Player, random: Random, table: str = "single", boxes: int = 1) -> Json:
    """Play a round by chance; return its board."""
    player.sit("blackjack", table)
    player.deal("cut", (10,) * boxes)
    while not player.over:
        player.do(random.choice(player.actions))
    return player.board


def ranks_of(board: Json) -> list[str]:
    """Return the ranks of all cards of a finished round, all tens alike."""
    view = board["view"]
    cards = [*view["dealer"], *(card for box in view["boxes"] for hand in box["hands"] for card in hand["cards"])]
    return ["T" if card[0] in "TJQK" else card[0] for card in cards]


def recount(seen: list[str], system: str, decks: int) -> int:
    start = SURPLUS.get(system, 0) * (1 - decks)
    return start + sum(TAGS[system][rank] for rank in seen)


def prefer(player: Player, count: str, system: str = "hi-lo") -> None:
    assert player.post("/settings", [("count", count), ("count_system", system)]).status == 303


def page_of(player: Player, key: str = "", **form: str) -> str:
    answer = player.get(f"{GAME}?hand={key or player.hand}", **(form or PAGE))
    assert answer.status == 200
    return answer.text


def answered(player: Player, count: object, key: str = "", **headers: str) -> Any:
    return player.post(f"{GAME}/{key or player.hand}/count", [("answer", str(count))], **headers)


def asked_rounds(player: Player, random: Random, rounds: int = 60) -> Iterator[tuple[list[str], str]]:
    """Play rounds of a single deck; yield the cards seen since the shuffle and the page of each that is asked about."""
    seen: list[str] = []
    for _ in range(rounds):
        board = played(player, random)
        seen = [*(seen if board["shoe"]["offset"] else ()), *ranks_of(board)]
        page = page_of(player)
        if FORM in page:
            yield seen, page


@pytest.mark.parametrize("table", DECKS)
def test_the_count_is_a_plain_recount_of_all_cards_since_the_shuffle(alice: Player, table: str) -> None:
    random, seen, shuffles = Random(table), [], 0
    for number in range(15):
        board = played(alice, random, table, boxes=1 + number % 3 if table != "single" else 1)
        if not board["shoe"]["offset"]:
            seen, shuffles = [], shuffles + 1
        seen += ranks_of(board)
        for system in TAGS:
            count, off = recount(seen, system, DECKS[table]), number % 3 - 1
            fields = [("answer", f"{count + off:+}"), ("system", system)]
            told = alice.post(f"{GAME}/{alice.hand}/count", fields).json
            assert (told["count"], told["off"]) == (count, abs(off))
            unseen = 52 * DECKS[table] - len(seen)
            assert told["true_count"] == (None if system in SURPLUS else pytest.approx(count * 52 / unseen, abs=0.0501))
    assert table != "single" or shuffles > 2


def test_at_the_shuffle_it_is_asked_once_a_shoe(alice: Player) -> None:
    prefer(alice, "shuffle")
    random, asked = Random(2), []
    for _ in range(30):
        board = played(alice, random)
        shoe = board["shoe"]
        asked.append(FORM in page_of(alice))
        assert asked[-1] == (shoe["dealt"] >= shoe["cut_card"])
    assert sum(asked) > 2


def test_now_and_then_is_after_some_rounds_that_do_not_change(alice: Player) -> None:
    prefer(alice, "now-and-then")
    random, asked = Random(3), []
    for _ in range(60):
        played(alice, random)
        asked.append(FORM in page_of(alice))
        assert asked[-1] == (FORM in page_of(alice)) == (FORM in page_of(alice, **FRAGMENT))
    assert 3 < sum(asked) < 30


@pytest.mark.parametrize("count", ["", "0", "1"])
def test_nobody_is_asked_who_has_not_chosen_it(alice: Player, count: str) -> None:
    prefer(alice, count)
    random = Random(4)
    for _ in range(20):
        played(alice, random)
        assert "ask--count" not in page_of(alice)
        assert ("shoe__count" in page_of(alice)) == (count == "1")


def test_a_page_with_the_question_tells_no_more_than_one_without(alice: Player) -> None:
    """Which has no count. So neither page, fragment nor JSON has it before it was answered."""
    alice.post("/settings", [("count", "now-and-then"), ("sound", "0")])
    asked = 0
    for _, page in asked_rounds(alice, Random(5)):
        asked += 1
        (form,) = re.findall(r'<section class="ask ask--count".*?</section>', page, re.DOTALL)
        assert {*re.findall(r'="(-?\d+)"', form)} == {"-20", "20", "1"}
        board = alice.get(f"{GAME}?hand={alice.hand}").json
        prefer(alice, "0")
        plain = page_of(alice)
        assert "shoe__count" not in plain
        assert page.replace(form, "").replace("What is the count?", "").split() == plain.split()
        assert alice.get(f"{GAME}?hand={alice.hand}").json == board
        prefer(alice, "now-and-then")
    assert asked > 3


def test_without_scripts_the_answer_leads_to_its_verdict_and_the_game_goes_on(app: Flask, alice: Player) -> None:
    prefer(alice, "now-and-then", "ko")
    verdicts = 0
    for seen, page in asked_rounds(alice, Random(6)):
        form = page.partition(FORM)[2].partition("</form>")[0]
        (action,) = re.findall(r'action="([^"]+)"', form)
        assert action == f"{GAME}/{alice.hand}/count"
        hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)
        count, off = recount(seen, "ko", 1), verdicts % 2
        sent = alice.post(action, [*hidden, ("answer", str(count + off))], **PAGE)
        assert sent.status == 303
        told = unescape(alice.get(sent.headers["location"], **PAGE).text)
        said = f"{count:+}".replace("-", "−") if count else "0"
        assert (f"The count is {said}" in told and "Off by 1." in told) if off else f"Right: {said}" in told
        assert FORM not in told
        assert "True count" not in told, "KO has none"
        assert 'aria-keyshortcuts="Enter Space"' in told, "the next round can be dealt"
        verdicts += 1
    assert verdicts > 3
    kept = all_rows(app, "SELECT share FROM drill_answer WHERE game = 'count-table'")
    assert sorted(row.share for row in kept) == sorted(float(number % 2) for number in range(verdicts))
    page = alice.get("/me/decisions", **PAGE).text
    assert "At the table" in page
    assert f"{verdicts} answers, {verdicts - verdicts // 2} exact." in page
    assert findings(app) == []


def test_the_first_answer_counts_in_every_tab_and_after_the_next_deal(app: Flask, alice: Player) -> None:
    prefer(alice, "now-and-then")
    seen, _ = next(asked_rounds(alice, Random(7)))
    key, count = alice.hand, recount(seen, "hi-lo", 1)
    assert {answered(alice, absurd).status for absurd in (-21, 21, 1999)} == {422}, "no deck comes to it"
    first = answered(alice, count + 2).json
    assert (first["count"], first["off"]) == (count, 2)
    for again in (count + 2, count, -20):
        assert answered(alice, again).json == first
    assert "Off by 2." in page_of(alice)
    played(alice, Random(8))
    assert answered(alice, count, key).json == first
    assert "Off by 2." in page_of(alice, key), "an old tab"
    assert len(all_rows(app, "SELECT share FROM drill_answer")) == 1


def test_an_open_question_is_there_after_a_reload_until_the_next_deal(alice: Player) -> None:
    prefer(alice, "now-and-then")
    next(asked_rounds(alice, Random(7)))
    here = f"{GAME}?table={alice.board['table']}"
    assert "What is the count?" in alice.get(here, **PAGE).text
    assert "What is the count?" not in alice.get(f"{GAME}?table=downtown", **PAGE).text, "another shoe"
    played(alice, Random(8))
    page = alice.get(here, **PAGE).text
    assert ("What is the count?" in page) == ("What is the count?" in page_of(alice))


def test_an_answer_by_another_system_is_no_second_try(app: Flask, alice: Player) -> None:
    """Its verdict tells what the first one needs."""
    prefer(alice, "now-and-then")
    seen, _ = next(asked_rounds(alice, Random(7)))
    for system in ("zen", "-2,2,2,2,2,2,0,0,0,-2", "hi-lo", "ko"):
        assert alice.post(f"{GAME}/{alice.hand}/count", [("answer", "20"), ("system", system)]).status == 200
    assert answered(alice, recount(seen, "hi-lo", 1)).json["off"] == 0, "a verdict, which is not kept"
    assert FORM not in page_of(alice), "nor is it asked again"
    (kept,) = all_rows(app, "SELECT spot FROM drill_answer")
    assert kept.spot == f"{alice.hand}-zen"


def test_an_old_tab_may_answer_once_when_the_next_round_is_dealt(app: Flask, alice: Player) -> None:
    prefer(alice, "now-and-then")
    seen, _ = next(asked_rounds(alice, Random(9)))
    key = alice.hand
    alice.sit("blackjack", "single")
    alice.deal("cut", (10,))
    assert FORM not in page_of(alice, key), "never during a hand"
    assert answered(alice, recount(seen, "hi-lo", 1), key).json["off"] == 0
    assert len(all_rows(app, "SELECT share FROM drill_answer")) == 1


def test_only_the_player_may_answer_and_only_after_a_round_of_a_shoe(app: Flask, alice: Player, bob: Player) -> None:
    played(alice, Random(10))
    played(bob, Random(11))
    over = alice.hand
    while True:
        alice.sit("blackjack", "single")
        alice.deal("cut", (10,))
        if not alice.over:
            break
    live = alice.hand
    before = rows(app)
    for player, key, status in ((bob, over, 404), (alice, live, 404), (alice, "nothing", 404), (alice, bob.hand, 404)):
        for form in FORMS.values():
            assert answered(player, 0, key, **form).status == status
    for wrong in ("", "1.5", "1e3", "nan", "--1", "99999", "count"):
        assert answered(alice, wrong, over).status == 422
    assert alice.post(f"{GAME}/{over}/count", [("answer", "0"), ("system", "moon")]).status == 422
    assert alice.get(f"{GAME}/{over}/count").status == 405
    assert alice.post(f"/play/poker/{over}/count", [("answer", "0")]).status == 404
    assert rows(app) == before
    while not alice.over:
        alice.do(alice.actions[-1])
    played(alice, Random(12), "classic")
    assert answered(alice, 0).status == 404, "each deck is fresh"
    assert FORM not in page_of(alice)


def test_an_old_cookie_still_shows_the_count(alice: Player) -> None:
    alice.line.client.set_cookie("prefs", "count=1")  # type: ignore[union-attr]
    played(alice, Random(13))
    assert "shoe__count" in page_of(alice)
    alice.line.client.set_cookie("prefs", "count=moon&count_system=moon")  # type: ignore[union-attr]
    page = page_of(alice)
    assert "shoe__count" not in page
    assert "ask--count" not in page


@pytest.mark.parametrize("system", TAGS)
def test_the_count_that_is_shown_is_by_the_chosen_system(alice: Player, system: str) -> None:
    prefer(alice, "1", system)
    random, seen = Random(system), []
    for _ in range(12):
        board = played(alice, random)
        seen = [*(seen if board["shoe"]["offset"] else ()), *ranks_of(board)]
        (shown,) = re.findall(r'shoe__count">(.*?)</p>', page_of(alice), re.DOTALL)
        running, *true = re.findall(r"[+−]?\d+(?:\.\d)?", re.sub("<[^>]*>", " ", shown))
        count = recount(seen, system, 1)
        assert int(running.replace("−", "-")) == count
        assert [float(each.replace("−", "-")) for each in true] == (
            [] if system in SURPLUS else [pytest.approx(count * 52 / (52 - len(seen)), abs=0.0501)]
        )


def test_own_tags_are_chosen_in_the_drills_and_stay_chosen_in_the_settings(alice: Player) -> None:
    own = "1,-2,0,3,0,1,0,0,0,-1"
    page = alice.get(f"/drill/counting?system={own}&table=downtown", **PAGE).text
    form = page.partition('aria-labelledby="table-title"')[2].partition("</form>")[0]
    assert f'name="count_system" value="{own}"' in form
    prefer(alice, "shuffle", own)
    page = alice.get("/me/settings", **PAGE).text
    chosen = re.findall(r'name="count_system"\s+value="([^"]*)" checked>([^<]*)<', page)
    assert chosen == [(own, "Own tags")]
    for wrong in ("1,1,1,1,1,1,1,1,1,1", "1,2", "9,1,1,1,1,1,0,0,0,-1", ""):
        prefer(alice, "shuffle", wrong)
        assert re.findall(
            r'name="count_system"\s+value="([^"]*)" checked>', alice.get("/me/settings", **PAGE).text
        ) == [own]
    prefer(alice, "shuffle", "ko")
    assert "Own tags" not in alice.get("/me/settings", **PAGE).text


def test_the_page_of_the_drills_sets_what_the_table_asks(alice: Player) -> None:
    played(alice, Random(14))
    page = alice.get("/drill/counting?system=zen&table=downtown", **PAGE).text
    form = page.partition('aria-labelledby="table-title"')[2].partition("</form>")[0]
    fields = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)
    assert ("count_system", "zen") in fields
    sent = alice.post("/settings", [*fields, ("count", "shuffle")], **PAGE)
    assert sent.headers["location"].endswith("/play/blackjack?table=downtown")
    assert "count=shuffle&count_system=zen" in sent.headers["set-cookie"]
    again = alice.get("/drill/counting?system=zen", **PAGE).text
    assert '<option value="shuffle" selected>' in again
