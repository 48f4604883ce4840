"""The odds desk as JSON and as pages: the same figures as the command line and the engine, or one clear message."""

import json
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from werkzeug.test import TestResponse

from tests.support.app import client_at
from tests.support.clock import Clock
from tests.support.daily_mornings import first_morning
from tests.support.moves import dealt_and_live, finished
from tests.support.player import Json, Player
from tests.support.server import Server
from webapp.cli import main
from webapp.config import Config
from webapp.engine.games import GAMES
from webapp.services.core.errors import Refusal
from webapp.services.odds import desk
from webapp.services.odds.answers import answer
from webapp.services.odds.desk import Desk
from webapp.services.odds.store import FolderStore

PLACES = 8
"""Questions and pictures for which one visitor may wait."""


@pytest.fixture(autouse=True)
def _on_this_database(database_url: str) -> None:
    """Have every test on the database of this module."""


def worked_out(player: Player, path: str) -> Json:
    """Repeat the request until the answer is computed."""
    for _ in range(300):
        answer = player.get(path)
        if answer.status != 202:
            assert answer.status == 200, answer.text
            found: Json = answer.json
            return found
    raise AssertionError(answer.text)


def command(app: Flask, *words: str) -> Json:
    config: Config = app.extensions["config"]
    said = CliRunner().invoke(main, ["odds", *words, "--json"], env={"TEFUDA_INSTANCE": str(config.instance)})
    assert said.exit_code == 0, said.output
    found: Json = json.loads(said.output)
    return found


def test_holds_are_exactly_those_of_the_command_line(app: Flask, alice: Player) -> None:
    web = worked_out(alice, "/odds/joker?table=kings-or-better&cards=AhKhQhJh2c&held=1-2")
    cli = command(app, "hold", "Ah Kh Qh Jh 2c", "--table", "joker/kings-or-better", "--action", "hold-1-2")
    assert {name: web[name] for name in cli} == cli


def test_actions_of_blackjack_are_exactly_those_of_the_command_line(app: Flask, alice: Player) -> None:
    web = worked_out(alice, "/odds/blackjack?table=european&cards=8h8s&dealer=Tc&seen=2c2d")
    cli = command(app, "blackjack", "--table", "european", "--hand", "8h 8s", "--dealer", "Tc", "--seen", "2c 2d")
    for option in web["options"]:
        assert option.pop("outcomes") == {}
    assert {name: web[name] for name in cli} == cli
    assert web["unit"] == "bets"


def test_the_worth_of_a_table_is_that_of_the_command_line(app: Flask, alice: Player) -> None:
    web = worked_out(alice, "/odds/joker/price?table=kings-or-better")
    cli = command(app, "game", "joker/kings-or-better")
    assert {name: web[name] for name in cli} == cli
    assert (web["exact"], web["rules"]) == ("412127554537/409481092020", {})


def built(app: Flask, *tables: str) -> None:
    """Compute edges in this process: the site's own processes have the lowest priority and may take minutes."""
    for table in tables:
        command(app, "game", f"blackjack/{table}")


def test_each_rule_has_its_price(app: Flask, alice: Player) -> None:
    """6:5 costs 1.36 per cent, the published figure; the sum of prices is no less than the edge."""
    built(app, "vegas", "vegas,blackjack_pays=6:5")
    web = worked_out(alice, "/odds/blackjack/price?table=vegas,blackjack_pays=6:5")
    assert web["rules"].keys() == {"blackjack_pays"}
    assert web["rules"]["blackjack_pays"] == pytest.approx(-0.0136, abs=0.0001)
    assert web["edge"] == pytest.approx(worked_out(alice, "/odds/blackjack/price")["edge"] - 0.0136, abs=0.0001)


def test_rules_may_be_given_one_by_one(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Desk, "_build", lambda *_: False)  # the price is not built
    chosen = "&".join(f"{name}={str(options[0]).lower()}" for name, options in GAMES["blackjack"].choices().items())
    web = alice.get(f"/odds/blackjack/price?{chosen}").json
    assert web["table"] == "vegas,decks=1,penetration=0.5,max_hands=2"


def test_a_price_that_is_not_known_yet_is_polled_for(alice: Player, app: Flask) -> None:
    page = app.test_client().get("/odds/blackjack/price?table=vegas,decks=7", headers={"HX-Request": "true"})
    assert page.status_code == 202
    assert re.search(r'hx-trigger="load delay:1s"', page.text)
    built(app, "vegas", "vegas,decks=7")
    worked_out(alice, "/odds/blackjack/price?table=vegas,decks=7")
    page = app.test_client().get("/odds/blackjack/price?table=vegas,decks=7", headers={"HX-Request": "true"})
    assert page.status_code == 200
    assert "hx-trigger" not in page.text
    assert "chips in 100 hands of 10" in page.text


@pytest.mark.parametrize("game", ["poker", "blackjack"])
def test_a_decision_of_a_finished_hand_is_priced_as_it_stood(alice: Player, app: Flask, game: str) -> None:
    dealt_and_live(alice, game)
    key = finished(alice)
    web = worked_out(alice, f"/odds/{game}?hand={key}&step=0")
    assert web["action"] == alice.get(f"/h/{key}.json").json["moves"][0]
    values = {option["action"]: option["value"] for option in web["options"]}
    assert web["cost"] == pytest.approx(values[web["best"]] - values[web["action"]])
    assert app.test_client().get(f"/odds/{game}?hand={key}&step=0").status_code == 200
    assert alice.get(f"/odds/{game}?hand={key}&step=99").status == 422


def test_a_page_stays_while_too_many_ask_for_prices(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise Refusal("odds-later")

    monkeypatch.setattr(Desk, "ask", refuse)
    path = "/odds/blackjack/price?table=vegas"
    part = app.test_client().get(path, headers={"HX-Request": "true"})
    assert part.status_code == 202
    assert 'hx-trigger="load delay:1s"' in part.text
    assert app.test_client().get(path, headers={"Accept": "application/json"}).status_code == 503


def test_many_dear_questions_of_one_visitor_do_not_keep_another_waiting(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one is answered after the question that is being worked out, and one too many is asked to come back."""
    monkeypatch.setattr(desk, "TURN_SECONDS", 120)  # a busy machine
    soon, json_please = app.extensions["workers"].soon, {"Accept": "application/json"}
    dear = "/odds/blackjack?table=vegas,decks=8,hole_card=no_peek&cards=2h2d&dealer=As&others="

    def ask(path: str, address: str) -> TestResponse:
        return client_at(app, address).get(path, headers=json_please)

    assert ask("/odds/blackjack?cards=Th6s&dealer=9c", "10.0.0.3").status_code == 200
    with ThreadPoolExecutor(PLACES) as pool:
        asked = [pool.submit(ask, f"{dear}{rank}c", "10.0.0.1") for rank in "23456789"]
        while len(soon._waiting) + len(soon._running) < PLACES and not asked[0].done():
            time.sleep(0.01)
        refused = ask(f"{dear}Tc", "10.0.0.1")
        assert (refused.status_code, refused.json["error"], refused.headers["Retry-After"]) == (503, "odds-later", "5")
        assert ask("/odds/blackjack?cards=Th6s&dealer=Tc", "10.0.0.2").status_code == 200
        assert sum(each.done() for each in asked) <= PLACES // 2
        assert {each.result().status_code for each in asked} == {200}


def test_the_page_says_that_values_are_of_one_box_where_there_are_others(app: Flask) -> None:
    said = "このボックスだけの値で、ほかのボックスは含みません。"
    pages = {
        others: app.test_client().get(
            f"/odds/blackjack?cards=Th6s&dealer=9c&others={others}", headers={"Accept-Language": "ja"}
        )
        for others in ("", "2c3c")
    }
    assert {others: said in page.text for others, page in pages.items()} == {"": False, "2c3c": True}


@pytest.mark.parametrize("game", ["poker", "joker", "video", "blackjack"])
def test_the_page_of_a_finished_hand_leads_to_its_odds(alice: Player, app: Flask, game: str) -> None:
    dealt_and_live(alice, game)
    key = finished(alice)
    assert f"/odds/{game}?hand={key}&amp;step=0" in app.test_client().get(f"/h/{key}?step=0").text


@pytest.mark.parametrize(
    "path, status, sentence",
    [
        ("/odds/joker?table=kings-or-better&cards=AhAhQhJh2c", 422, "A card is named twice: the ace of hearts."),
        ("/odds/joker?table=kings-or-better&cards=AhKhQhJh2c3c", 422, "A hand has five cards, and 6 are named."),
        ("/odds/joker?table=kings-or-better&cards=JkJkQhJh2c", 422, "So many jokers are not in the deck of this table."),
        ("/odds/poker?cards=JkAhQhJh2c", 422, "So many jokers are not in the deck of this table."),
        ("/odds/blackjack?table=single&cards=Th6s&dealer=6s", 422, "A card is named more often than the shoe has it"),
        ("/odds/blackjack?cards=Th6s&dealer=Tc&seen=ThThThThThTh", 422, "A card is named more often than the shoe"),
        ("/odds/blackjack?cards=Th6s&dealer=Tc&held=surrender", 422, "That is not among the actions"),
        ("/odds/blackjack?cards=Th6s9s&dealer=Tc", 422, "This hand is bust with 25."),
        ("/odds/blackjack?cards=zz&dealer=Tc", 422, "That is no card."),
        ("/odds/blackjack?table=nowhere&cards=Th6s&dealer=Tc", 422, "There is no table with these rules."),
        (f"/odds/blackjack?cards=Th6s&dealer=Tc&seen={'2c' * 900}", 422, "more than all cards of the shoe"),
        ("/odds/nothing?cards=Th6s", 404, "We do not have this game."),
        ("/odds/blackjack?hand=nothing", 404, "There is no such hand"),
        ("/odds/blackjack/price?decks=9", 422, "There is no table with these rules."),
        ("/lab/chart?table=nowhere", 422, "There is no table with these rules."),
        ("/odds/blackjack/index?table=nowhere", 422, "There is no table with these rules."),
        ("/odds/blackjack/index?system=1,1,1,1,1,1,1,1,1,1", 422, "A counting system is ten whole numbers"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_one_sentence(
    alice: Player, app: Flask, path: str, status: int, sentence: str
) -> None:
    answer = alice.get(path)
    assert (answer.status, sentence in answer.json["message"]) == (status, True), answer.text
    page = app.test_client().get(path, headers={"Accept-Language": "en"})
    assert (page.status_code, sentence.partition(":")[0] in page.text) == (status, True)


@pytest.mark.parametrize(
    "path", ["/odds/joker?cards=", "/odds/blackjack?dealer=Tc&cards=", "/odds/poker?thrown=2h&seen="]
)
def test_more_than_all_cards_are_refused_on_a_page_that_is_no_larger_for_it(app: Flask, path: str) -> None:
    usual, refused = (app.test_client().get(path + "Ah" * cards) for cards in (1, 25_000))
    assert refused.status_code == 422
    assert "That is more than all cards of the shoe." in refused.text
    assert len(refused.data) < len(usual.data) + 2 * 50_000  # its own address, once or twice
    assert app.test_client().get(f"{path}{'2c' * 700}&others={'2d' * 200}").status_code == 422


def test_the_sentence_is_in_the_language_of_the_page(app: Flask) -> None:
    page = app.test_client().get("/odds/blackjack?cards=Th6s9s&dealer=Tc", headers={"Accept-Language": "ja"})
    assert "この手札は25でバーストしています。" in page.text


def test_a_hand_that_is_being_tapped_in_is_no_error(app: Flask) -> None:
    page = app.test_client().get("/odds/joker?table=kings-or-better&cards=AhKh", headers={"Accept-Language": "en"})
    assert page.status_code == 200
    assert "Choose 3 more cards." in page.text


def test_every_card_of_the_deck_is_a_link_that_adds_it(app: Flask) -> None:
    page = app.test_client().get("/odds/joker?table=kings-or-better&cards=AhKh").text
    assert len(re.findall(r'class="allcards__card[^"]*" id="c-', page)) == 53
    assert "cards=AhKhJk" in page


def test_the_chart_says_the_same_as_the_csv_that_the_lab_reads(app: Flask, alice: Player) -> None:
    web = alice.get("/lab/chart?table=european").json
    csv = app.test_client().get("/lab/strategy.csv?table=european").text.splitlines()
    rows = {line.split(",")[0]: line.split(",")[1:] for line in csv[1:-1]}
    assert web["rows"] == rows
    assert csv[0] == ",".join(("hand", *web["dealer"]))
    assert csv[-1] == f"insurance,{'yes' if web['insurance'] else 'no'}"


@pytest.mark.slow
def test_index_numbers_are_those_of_the_command_line(app: Flask, alice: Player) -> None:
    cli = command(app, "index", "--table", "single", "--system", "ko")  # builds them for both
    web = worked_out(alice, "/odds/blackjack/index?table=single&system=ko")
    assert {name: web[name] for name in cli} == cli
    assert (web["start"], web["balanced"]) == (0, False)
    for language, title in (("en", "Index numbers"), ("ja", "インデックス"), ("zh", "偏离指数"), ("zh-TW", "偏離指數")):
        headers = {"Accept-Language": language}
        page = app.test_client().get("/odds/blackjack/index?table=single&system=ko", headers=headers)
        assert page.status_code == 200
        assert title in page.text
    assert alice.get("/odds/video/index").status == 404


@pytest.fixture
def _built_here(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute tables in the test: the site's own processes have the lowest priority."""
    config: Config = app.extensions["config"]

    def build(_: Desk, name: str, line: str, patience: float) -> bool:
        answer(json.loads(line), FolderStore.of_instance(config.instance))
        return True

    monkeypatch.setattr(Desk, "_build", build)


@pytest.mark.usefixtures("_built_here")
@pytest.mark.parametrize(
    "path, held",
    [
        ("/lab/spot/blackjack?cards=Th6s&dealer=Tc", None),
        ("/lab/spot/joker?table=kings-or-better&cards=JkKdQd7s2c&held=1", "hold-1"),
    ],
)
def test_a_spot_is_simulated_beside_its_exact_values(app: Flask, alice: Player, path: str, held: str | None) -> None:
    game = path.split("/")[3].partition("?")[0]
    spot = alice.get(f"{path}&simulate=200&seed=3").json
    exact = alice.get(spot["odds"]).json
    values = {option["action"]: option["value"] for option in exact["options"]}
    assert {option["action"]: option["value"] for option in spot["options"]}.items() <= values.items()
    assert (spot["rounds"], spot["seed"], spot["unit"], spot["exact"]) == (200, 3, exact["unit"], True)
    assert held is None or held in {option["action"] for option in spot["options"]}
    for option in spot["options"]:
        seldom = 0.1 * option["value"] if spot["unit"] == "coins" else 0
        assert option["mean"] == pytest.approx(option["value"], abs=4 * option["standard_error"] + seldom)
    page = app.test_client().get(spot["url"], headers={"Accept-Language": "en"})
    assert "Dealt 200 times" in page.text and f"/odds/{game}?" in page.text
    assert f"/lab/spot/{game}?" in app.test_client().get(spot["odds"]).text, "the desk leads here"
    same = alice.get(spot["url"].replace(f"/{game}?", f"/{game}.json?")).json
    assert same["options"] == spot["options"]


@pytest.mark.usefixtures("_built_here")
def test_a_decision_of_a_finished_hand_is_simulated_as_it_stood(alice: Player) -> None:
    dealt_and_live(alice, "poker")
    key = finished(alice)
    spot = alice.get(f"/lab/spot/poker?hand={key}&step=0&simulate=100").json
    assert alice.get(f"/h/{key}.json").json["moves"][0] in {option["action"] for option in spot["options"]}


@pytest.mark.parametrize("path", ["/odds/blackjack/index", "/odds/video/holds"])
def test_a_page_that_is_being_worked_out_is_seen_to_move(
    app: Flask, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(Desk, "_build", lambda *_: False)
    page = app.test_client().get(path).text
    assert (page.count("data-poll"), page.count("<progress ")) == (1, 1)


def test_a_spot_that_is_being_simulated_is_polled_for(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Desk, "_build", lambda *_: False)
    path = "/lab/spot/blackjack?cards=Th6s&dealer=Tc&simulate=100&seed=9"
    page = app.test_client().get(path)
    assert (page.status_code, page.text.count("data-poll"), "<noscript>" in page.text) == (202, 1, True)
    assert app.test_client().get(path, headers={"Accept": "application/json"}).json["pending"]


@pytest.mark.parametrize(
    "path, status, sentence",
    [
        ("/lab/spot/blackjack?cards=Th6s&dealer=Tc&simulate=99", 422, "a whole number from 100 to 10,000"),
        ("/lab/spot/blackjack?cards=Th6s&dealer=Tc&seed=-1", 422, "Choose a seed"),
        ("/lab/spot/blackjack?cards=Th6s&dealer=Tc&seed=٣", 422, "Choose a seed"),
        ("/lab/spot/blackjack?cards=Th6s9s&dealer=Tc", 422, "This hand is bust with 25."),
        ("/lab/spot/table21?cards=Th6s&dealer=Tc", 404, ""),
        ("/lab/spot/nothing?cards=Th6s", 404, "We do not have this game."),
    ],
)
def test_a_spot_that_cannot_be_simulated_is_refused(alice: Player, path: str, status: int, sentence: str) -> None:
    answer = alice.get(path)
    assert (answer.status, sentence in answer.json["message"]) == (status, True), answer.text


def test_the_pages_of_rules_lead_to_the_odds(app: Flask) -> None:
    page = app.test_client().get("/rules/blackjack?table=european").text
    assert "/odds/blackjack/price?table=european" in page
    assert "/odds/blackjack?table=european" in page
    assert "/lab/chart?table=european" in page


def test_a_flood_from_one_address_is_stopped(serving: Callable[..., Server]) -> None:
    player = Player(serving(TEFUDA_RATE_LIMITS="on").url)
    statuses = [player.get("/odds/blackjack?cards=Th6s9s&dealer=Tc").status for _ in range(620)]
    assert statuses[:100] == [422] * 100
    assert statuses[-1] == 429


def test_the_site_never_loads_numpy_or_numba_and_grows_by_little(serving: Callable[..., Server]) -> None:
    """Computations run in other processes: neither library is mapped into the web process."""
    server = serving()
    player = Player(server.url)
    worker = server.process.pid
    player.get("/odds/blackjack?cards=Th6s&dealer=Tc")
    before = resident(worker)
    for number in range(60):
        cards = f"{'23456789T'[number % 9]}h{'23456789'[number % 8]}s"
        assert player.get(f"/odds/blackjack?cards={cards}&dealer={'23456789TA'[number % 10]}c").status == 200
    worked_out(player, "/odds/joker?table=kings-or-better&cards=AhKhQhJh2c")
    maps = Path(f"/proc/{worker}/maps").read_text()
    assert "numpy" not in maps and "llvmlite" not in maps and "numba" not in maps
    assert resident(worker) - before < 40


def resident(pid: int) -> float:
    """Return the resident MB of a process."""
    (line,) = re.findall(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(line) / 1024


def test_the_order_of_holds_is_a_page_and_json(app: Flask, alice: Player) -> None:
    found = worked_out(alice, "/odds/video/holds?table=jacks-8-5")
    assert [hold["value"] for hold in found["holds"]] == sorted(
        (hold["value"] for hold in found["holds"]), reverse=True
    )
    for language, name in (
        ("en", "Jacks or better"),
        ("ja", "ジャックのペア以上"),
        ("zh", "对J以上"),
        ("zh-TW", "對J以上"),
    ):
        page = app.test_client().get("/odds/video/holds?table=jacks-8-5", headers={"Accept-Language": language})
        assert page.status_code == 200
        assert name in page.text
    for path in ("/odds/blackjack/holds", "/odds/joker/holds?table=arcade", "/odds/video/holds?table=none"):
        assert alice.get(path).status in (404, 422), path


def test_the_odds_of_a_hand_of_todays_deal_are_told_to_its_player_alone(
    app: Flask, clock: Clock, alice: Player, bob: Player
) -> None:
    first_morning(app, clock)
    alice.post("/daily/video")
    alice.board, alice.game = alice.answer.json, "video"
    address = f"/odds/video?hand={alice.hand}&step=0"
    assert alice.get(address).status == 404, "not while it is played"
    finished(alice)
    assert alice.get(address).status in (200, 202)
    assert bob.get(address).status == 404
