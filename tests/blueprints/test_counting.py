"""The drills of counting, as a browser without scripts uses them: links and forms."""

import re
from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.cookies import cookie_of
from tests.support.index_numbers import work_out_indices
from tests.support.moves import dealt
from tests.support.player import Player
from tests.support.rows import all_rows, findings, rows
from webapp.engine.cards import STANDARD_DECK
from webapp.engine.twenty_one.counting import CountingSystem
from webapp.services.deals.counting_drills import conversion, counted_deck, tray
from webapp.web.i18n.vocabulary import card_title

PAGE = FORMS["page"]
FORM = '<form class="counted__answer'
Form = tuple[str, list[tuple[str, str]]]


def cards_in(page: str) -> list[str]:
    """Return the names of the cards on the felt."""
    felt = page.partition("data-felt")[2].partition("<aside")[0]
    return re.findall(r'role="img"\s+aria-label="([^"]+)"', felt)


def next_in(page: str) -> str:
    """Return the address of the button that leads on, "" if there is none."""
    found = re.search(r'dock__main"[^>]*?href="([^"]+)"', page)
    return unescape(found[1]) if found else ""


def form_in(page: str) -> Form:
    """Return address and hidden fields of the form with the answer."""
    form = page.partition(FORM)[2].partition("</form>")[0]
    (action,) = re.findall(r'action="([^"]+)"', form)
    hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)
    return action, [(name, unescape(value)) for name, value in hidden]


def answered(player: Player, page: str, answer: str) -> str:
    """Send the form of a page; return the page with the verdict."""
    action, fields = form_in(page)
    sent = player.post(action, [*fields, ("answer", answer)], **PAGE)
    assert sent.status == 303, sent.text
    return player.get(sent.headers["location"], **PAGE).text


def begun(player: Player, path: str) -> str:
    """Begin a drill; return its first page."""
    sent = player.get(path, **PAGE)
    assert sent.status == 303
    return player.get(sent.headers["location"], **PAGE).text


def sentence(page: str) -> str:
    (name,) = re.findall(r'<h2 class="verdict__name"[^>]*>(.*?)</h2>', page, re.DOTALL)
    return unescape(re.sub(r"<span.*</span>", "", name)).strip()  # without the mark


TAGS = {
    "hi-lo": {"Ace": -1, "Two": 1, "Three": 1, "Four": 1, "Five": 1, "Six": 1, "Ten": -1, "Jack": -1, "Queen": -1, "King": -1},
    "ko": {"Ace": -1, "Two": 1, "Three": 1, "Four": 1, "Five": 1, "Six": 1, "Seven": 1, "Ten": -1, "Jack": -1, "Queen": -1, "King": -1},
}  # fmt: skip


@pytest.mark.parametrize("at_a_time", [1, 2, 3])
@pytest.mark.parametrize(("system", "start"), [("hi-lo", 0), ("ko", -20)])
def test_a_deck_is_counted_down_by_what_the_pages_show(
    app: Flask, alice: Player, system: str, start: int, at_a_time: int
) -> None:
    dealt(alice)
    page = begun(alice, f"/drill/counting/deck?system={system}&at_a_time={at_a_time}")
    assert sentence(page).endswith("starts at 0" if not start else "starts at −20")
    seen: list[str] = []
    count, questions = start, 0
    while "Another deck" not in page:
        if FORM in page:
            questions += 1
            assert cards_in(page) == []
            said = sentence(page)
            page = answered(alice, page, str(count))
            assert said == "What is the count?"
            assert sentence(page) == f"Right: {f'{count:+}'.replace('-', '−') if count else 0}"
            kept = cards_in(page)
            if kept:
                assert {*seen, *kept} == {*map(card_title, STANDARD_DECK)}
                assert len(seen) + len(kept) == 52
        else:
            shown = cards_in(page)
            count += sum(TAGS[system].get(name.split()[0], 0) for name in shown)
            seen += shown
        page = alice.get(next_in(page), **PAGE).text
    assert questions == 4
    assert "4 of 4 right" in page
    assert all_rows(app, "SELECT game, share FROM drill_answer") == [("count-deck", 0.0)] * 4
    assert findings(app) == []


def test_no_page_and_no_cookie_tells_the_cards_to_come_or_the_count(app: Flask, alice: Player) -> None:
    dealt(alice)
    page = begun(alice, "/drill/counting/deck?at_a_time=3")
    while FORM not in page:
        shown = cards_in(page)
        assert len(shown) == 3
        assert len({*re.findall(r"#c-(\w\w)\b", page)}) == 3
        page = alice.get(next_in(page), **PAGE).text
    spot = dict(form_in(page)[1])["spot"]
    with app.app_context():
        deck = counted_deck(spot, CountingSystem.parse("hi-lo"), 6, 3)
    assert not any(card_title(card) in page or f"#c-{card}" in page for card in deck.cards)
    assert "Right" not in page
    step = deck.stops[0]
    for wrong in ("", "&mark=0000000000000000", "&mark=%ff"):
        tried = alice.get(f"/drill/counting/deck?at_a_time=3&spot={spot}&step={step}&ask=1&answer=1{wrong}", **PAGE)
        assert tried.status == 200
        assert sentence(tried.text) == "What is the count?", "nothing was posted"
    assert spot not in str(cookie_of(alice))


def test_an_answer_counts_once_and_only_where_it_is_asked(app: Flask, alice: Player, bob: Player) -> None:
    dealt(alice)
    with app.app_context():
        right = counted_deck("a", CountingSystem.parse("hi-lo"), 6, 1)
    stop, count = right.stops[0], right.running(right.stops[0])
    fields = [("spot", "a"), ("step", str(stop))]
    for answer in (count + 2, count, count + 1):
        told = alice.post("/drill/counting/deck", [*fields, ("answer", str(answer))], **PAGE)
        assert told.status == 303
        assert parse_qs(urlsplit(told.headers["location"]).query)["answer"] == [str(answer)]
    assert all_rows(app, "SELECT game, spot, share FROM drill_answer") == [("count-deck", f"a-{stop}", 2.0)]
    assert bob.post("/drill/counting/deck", [*fields, ("answer", "0")], **PAGE).status == 303
    before = rows(app)
    for wrong in (
        [("spot", "a"), ("step", str(stop + 1)), ("answer", "0")],
        [("spot", "a"), ("step", "99"), ("answer", "0")],
        [("spot", "a"), ("step", "-1"), ("answer", "0")],
        [("spot", ""), ("step", str(stop)), ("answer", "0")],
        [*fields, ("answer", "")],
        [*fields, ("answer", "2.5")],
        [*fields, ("answer", "1e9")],
        [*fields, ("answer", "nan")],
        [*fields, ("answer", "0"), ("system", "moon")],
        [*fields, ("answer", "0"), ("table", "nowhere")],
    ):
        assert alice.post("/drill/counting/deck", wrong, **PAGE).status in (404, 422), wrong
    for path in ("moon", "deck?spot=a&step=0", "deck?spot=a&step=52", f"deck?spot=a&step={stop + 1}&ask=1"):
        assert alice.get(f"/drill/counting/{path}", **PAGE).status == 404, path
    assert rows(app) == before, "visitors without a hand are nobody"


@pytest.mark.parametrize("rounding", ["floor", "truncate", "nearest"])
def test_ten_running_counts_are_divided(app: Flask, alice: Player, rounding: str) -> None:
    dealt(alice)
    page = begun(alice, f"/drill/counting/true?rounding={rounding}")
    rounded = {"floor": "Rounded down", "truncate": "Rounded towards 0", "nearest": "To the nearest, a half up"}
    for number in range(1, 11):
        assert f"Question {number} of 10" in page
        assert rounded[rounding] in page
        with app.app_context():
            asked = conversion(dict(form_in(page)[1])["spot"], 6, rounding)  # type: ignore[arg-type]
        facts = [unescape(each) for each in re.findall(r"<dd>([^<]+)</dd>", page)]
        assert facts[:2] == [
            f"{asked.running:+}".replace("-", "−"),
            f"{float(asked.decks):g} deck{'s' * (asked.decks > 1)}",
        ]
        off = number % 2
        page = answered(alice, page, str(asked.right + off))
        assert ("You said" in page) == bool(off)
        page = alice.get(next_in(page), **PAGE)
        if page.status == 303:
            page = alice.get(page.headers["location"], **PAGE)
        page = page.text
    assert "5 of 10 right" in page
    assert {each.share for each in all_rows(app, "SELECT share FROM drill_answer")} == {0, 1}


@pytest.mark.parametrize("drill", ["deck", "true"])
@pytest.mark.parametrize("wrong", ["abc", "1.5", "", "1999"])
def test_what_is_no_count_stays_in_the_field_and_the_round_goes_on(alice: Player, drill: str, wrong: str) -> None:
    page = begun(alice, f"/drill/counting/{drill}?system=zen&table=downtown")
    while FORM not in page:
        page = alice.get(next_in(page), **PAGE).text
    page = answered(alice, page, "0")
    page = alice.get(next_in(page), **PAGE)
    while FORM not in page.text:
        page = alice.get(page.headers["location"] if page.status == 303 else next_in(page.text), **PAGE)
    action, fields = form_in(page.text)
    told = alice.post(action, [*fields, ("answer", wrong)], **PAGE)
    assert told.status == 422
    assert "A count is a whole number, here from −" in told.text
    assert f'value="{wrong}" aria-invalid="true"' in told.text
    assert form_in(told.text) == (action, fields), "the same question, after the same answers"
    again = alice.get(told.headers["hx-replace-url"], **PAGE).text
    assert form_in(again) == (action, fields), "so it is after a reload"
    assert "You said" in answered(alice, told.text, "28")


def test_a_system_that_is_not_balanced_has_no_true_count(alice: Player) -> None:
    sent = alice.get("/drill/counting/true?system=ko", **PAGE)
    assert sent.status == 303
    page = alice.get(sent.headers["location"], **PAGE).text
    assert "KO has no true count" in page
    assert "/drill/counting/true" not in page
    assert alice.post("/drill/counting/true", [("spot", "a"), ("answer", "1"), ("system", "ko")], **PAGE).status == 404
    assert "no true count" not in alice.get("/drill/counting?system=zen", **PAGE).text
    assert (
        "It starts at −28, as in a shoe of 8 decks."
        in alice.get("/drill/counting?system=ko&table=vegas,decks=8", **PAGE).text
    )


@pytest.mark.parametrize("table", ["vegas", "downtown", "single", "vegas,decks=8"])
def test_the_tray_is_drawn_to_the_card(app: Flask, alice: Player, table: str) -> None:
    for number in range(20):
        page = alice.get(f"/drill/counting/tray?table={table}&spot=tray{number}", **PAGE).text
        drawing = page.partition('<svg class="tray"')[2].partition("</svg>")[0]
        ((top, height),) = re.findall(r'<rect class="tray__cards" x="0" y="(\d+)" width="290" height="(\d+)"', drawing)
        (floor,) = re.findall(r'd="M-4 0V(\d+)H294V0"', drawing)
        decks = {"vegas": 6, "downtown": 2, "single": 1, "vegas,decks=8": 8}[table]
        with app.app_context():
            asked = tray(f"tray{number}", decks)
        assert (int(height), int(top) + int(height), int(floor) - 4) == (asked.dealt, 52 * decks, 52 * decks)
        choices = re.findall(r'name="answer" value="([\d.]+)"', page)
        assert [*map(float, choices)] == [half / 2 for half in range(1, 2 * decks + 1)]
        told = answered(alice, page, f"{float(asked.right):g}")
        assert sentence(told) == f"Right: {float(asked.right):g} deck{'s' * (asked.right > 1)}"
        assert told.count("tray__mark") == decks - 1
        assert "tray__mark" not in page
    assert alice.post("/drill/counting/tray", [("spot", "a"), ("table", table), ("answer", "9")], **PAGE).status == 422


def test_own_tags_may_start_far_from_nothing(app: Flask, alice: Player) -> None:
    tags = "4,4,4,4,4,4,4,4,4,3"
    path = f"/drill/counting/deck?system={tags}&table=vegas,decks=8&spot=a"
    assert sentence(alice.get(f"{path}&step=1", **PAGE).text) == "The count starts at −1,344"
    with app.app_context():
        deck = counted_deck("a", CountingSystem.parse(tags), 8, 1)
    page = alice.get(f"{path}&step={deck.stops[0]}&ask=1", **PAGE).text
    assert sentence(answered(alice, page, f"−{-deck.running(deck.stops[0])}")).startswith("Right: −1")


@pytest.mark.parametrize("table", ["classic", "vegas,shuffle=continuous"])
def test_where_nothing_is_left_to_count_the_page_says_so(alice: Player, table: str) -> None:
    page = alice.get(f"/drill/counting?table={table}", **PAGE).text
    assert "counting gains nothing there" in page
    assert "/drill/counting/plays" not in page
    assert "gains nothing" not in alice.get("/drill/counting", **PAGE).text


def test_settings_are_carried_along(alice: Player) -> None:
    page = begun(alice, "/drill/counting/deck?system=zen&table=downtown&at_a_time=2&pace=0.5&rounding=moon")
    carried = parse_qs(urlsplit(next_in(page)).query)
    assert {name: carried[name] for name in ("system", "table", "at_a_time", "pace")} == {
        "system": ["zen"],
        "table": ["downtown"],
        "at_a_time": ["2"],
        "pace": ["0.5"],
    }
    assert "rounding" not in carried
    assert "load delay:500ms" in page
    assert "load delay" not in begun(alice, "/drill/counting/deck?system=zen")


@pytest.mark.parametrize("path", ["/drill/counting", "/odds/blackjack/index"])
def test_own_tags_are_read_as_people_type_them_and_what_is_wrong_stays_to_be_mended(alice: Player, path: str) -> None:
    typed = {"1,0,0,0,0,0,0,0,0,－1": 200, " +1, 0,0,0,0,0,0,0,0, −1": 200, "１，0,0,0,0,0,0,0,0,-1": 200, "1,2,3": 422}
    for tags, status in typed.items():
        answer = alice.get(f"{path}?{urlencode({'system': tags, 'table': 'downtown'})}", **PAGE)
        assert answer.status in (status, 202 if status == 200 else status), tags  # index numbers come later
        assert ("ten whole numbers" in answer.text and f'value="{tags}"' in answer.text) == (status == 422)
        assert "table=downtown" in answer.text, "nothing else is lost"
    assert alice.get(f"{path}?system=1,2,3").json["error"] == "impossible-spot"


def test_the_drills_are_found_from_the_pages_beside_them(alice: Player) -> None:
    for path in ("/", "/lab", "/odds/blackjack", "/odds/blackjack/index?system=zen"):
        assert 'href="/drill/counting' in alice.get(path, **PAGE).text, path
    page = alice.get("/drill/counting?system=zen&table=downtown", **PAGE).text
    assert "It is legal, and casinos show counters the door" in page
    for address in (
        "/odds/blackjack/index?table=downtown&amp;system=zen",
        "/odds/blackjack?table=downtown",
        "/me/decisions",
    ):
        assert f'href="{address}"' in page, address


def test_a_program_counts_a_deck_down(app: Flask, alice: Player) -> None:
    dealt(alice)
    path = "/drill/counting/deck"
    ask = parse_qs(urlsplit(alice.get(f"{path}?system=ko&at_a_time=2").headers["location"]).query)["spot"][0]
    step, count, verdicts = 1, -20, []
    while not verdicts or verdicts[-1]["whole"] is None:
        shown = alice.get(f"{path}?system=ko&at_a_time=2&spot={ask}&step={step}").json
        question = shown["question"]
        assert (shown["ask"], shown["verdict"], question["start"], question["step"]) == (ask, None, -20, step)
        assert len(question["cards"]) == 2
        count += sum(
            {"A": -1, "8": 0, "9": 0}.get(card[0], -1 if card[0] in "TJQK" else 1) for card in question["cards"]
        )
        if question["asked_next"]:
            asked = alice.get(f"{path}?system=ko&at_a_time=2&spot={ask}&step={step}&ask=1&answer={count}").json
            assert (asked["question"]["cards"], asked["verdict"]) == ([], None), "nothing was posted"
            fields = [
                ("system", "ko"),
                ("at_a_time", "2"),
                ("spot", ask),
                ("step", str(step)),
                ("answer", str(count + 1)),
            ]
            for _ in range(2):
                verdicts.append(alice.post(path, fields).json["verdict"])
            assert (verdicts[-1]["right"], verdicts[-1]["off"]) == (str(count), 1.0)
        step += 1
    assert len(verdicts) == 8
    assert len(verdicts[-1]["kept_back"]) == 2
    assert verdicts[-1]["whole"] == -16
    assert all_rows(app, "SELECT share FROM drill_answer") == [(1.0,)] * 4


def test_a_program_converts_counts_and_estimates_decks(app: Flask, alice: Player) -> None:
    asked = alice.get("/drill/counting/true?spot=a&rounding=truncate").json
    question = asked["question"]
    right = int(question["running"] / question["decks"])
    told = alice.post("/drill/counting/true", [("spot", "a"), ("rounding", "truncate"), ("answer", str(right))]).json
    assert told == asked | {"verdict": told["verdict"]}
    assert (told["verdict"]["right"], told["verdict"]["off"]) == (str(right), 0.0)
    asked = alice.get("/drill/counting/tray?spot=a&table=downtown").json
    left = round(2 * (104 - asked["question"]["dealt"]) / 52) / 2
    assert asked["answers"] == ["0.5", "1", "1.5", "2"]
    told = alice.post("/drill/counting/tray", [("spot", "a"), ("table", "downtown"), ("answer", "0.5")]).json
    assert (told["verdict"]["right"], told["verdict"]["off"]) == (f"{left:g}", left - 0.5)
    assert alice.get("/drill/counting/moon?spot=a").status == 404
    assert rows(app)["drill_answer"] == [], "visitors without a hand are nobody"


@pytest.mark.slow
def test_a_program_plays_by_index_numbers(app: Flask, alice: Player) -> None:
    table = "vegas,split_by=none"
    later = alice.get("/drill/counting/plays?table=vegas,decks=8,soft_17=hit,split_by=none&spot=a")
    assert (later.status, later.json["pending"]) == (202, True)
    work_out_indices(app, table, "hi-lo")
    kinds = set()
    for number in range(16):
        asked = alice.get(f"/drill/counting/plays?table={table}&spot=json{number}").json
        assert asked["verdict"] is None
        assert {*asked["question"]} == {"hand", "dealer", "count", "insurance"}
        kinds.add(tuple(asked["answers"])[:2])
        fields = [("table", table), ("spot", f"json{number}"), ("answer", asked["answers"][-1])]
        verdict = alice.post("/drill/counting/plays", fields).json["verdict"]
        play = verdict["play"]
        worth = {option["verb"]: option["value"] for option in play["options"]}
        assert [*worth] == asked["answers"]
        assert worth[verdict["right"]] == max(worth.values())
        assert verdict["off"] == pytest.approx(max(worth.values()) - worth[verdict["answer"]])
    assert kinds == {("hit", "stand"), ("insure", "decline")}


@pytest.mark.slow
def test_ten_index_plays_show_values_once_they_are_answered(app: Flask, alice: Player) -> None:
    dealt(alice)
    table = "vegas,split_by=none"
    later = "vegas,decks=8,split_by=none"
    waits = alice.get(f"/drill/counting/plays?table={later}&spot=a", **PAGE)
    assert waits.status == 202
    assert "load delay:2s" in waits.text
    assert (
        alice.post("/drill/counting/plays", [("table", later), ("spot", "a"), ("answer", "hit")], **PAGE).status == 503
    )
    work_out_indices(app, table, "hi-lo")
    page = begun(alice, f"/drill/counting/plays?table={table}")
    for number in range(1, 11):
        assert f"Question {number} of 10" in page
        assert re.match(r"True count (0|[+−]\d+)$", sentence(page))
        assert "counted__worth" not in page
        assert "ndex +" not in page
        assert len(cards_in(page)) == 3
        verbs = re.findall(r'name="answer" value="(\w+)"', page)
        assert verbs[:2] in (["hit", "stand"], ["insure", "decline"])
        action, fields = form_in(page)
        assert alice.post(action, [*fields, ("answer", "split")], **PAGE).status == 422
        page = answered(alice, page, verbs[number % len(verbs)])
        assert sentence(page).startswith("Best: ")
        assert (
            page.partition('<table class="counted__worth">')[2].partition("</table>")[0].count("<tr") == len(verbs) + 1
        )
        assert "seen=" in page, "the odds desk with these cards"
        sent = alice.get(next_in(page), **PAGE)
        page = (alice.get(sent.headers["location"], **PAGE) if sent.status == 303 else sent).text
    costs = [each.share for each in all_rows(app, "SELECT share FROM drill_answer WHERE game = 'count-plays'")]
    assert len(costs) == 10
    assert all(cost >= 0 for cost in costs)
    assert f"{costs.count(0)} of 10 right" in page
    assert f"10 answers, {costs.count(0)} right." in alice.get("/me/decisions", **PAGE).text
