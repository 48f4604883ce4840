"""``tefuda hand``: shows and verifies a finished hand from a file, a line of notation or a running site."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.support.moves import asked, dealt, finished, finished_json, sealed
from tests.support.player import Json, Player
from tests.support.server import Server
from webapp.cli import main


def run(*words: str, stdin: str | bytes = "") -> Result:
    """Run the command in this process; it needs no database."""
    said = CliRunner().invoke(main, ["hand", *words], input=stdin)
    assert said.exception is None or isinstance(said.exception, SystemExit), repr(said.exception)
    return said


@pytest.fixture(scope="module")
def played(server: Server) -> Json:
    """A hand with a double-up."""
    alice = Player(server.url)
    asked(alice)
    alice.act("double")
    return finished_json(alice, finished(alice, Random(3)))


@pytest.fixture
def file(tmp_path: Path) -> Callable[[Any], str]:
    def write(content: Any) -> str:
        path = tmp_path / "hand.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    return write


def test_a_hand_is_right_from_a_file_a_line_and_standard_input(played: Json, file: Callable[[Any], str]) -> None:
    for said in (run("verify", file(played)), run("verify", "-", stdin=json.dumps(played))):
        assert (said.exit_code, said.output.count("right:")) == (0, 4)
        assert "WRONG" not in said.output
    assert run("verify", played["notation"]).exit_code == 0
    assert run("verify", file(played["notation"] + "\n")).exit_code == 0
    assert json.loads(run("verify", "--json", file(played)).output) == {
        "commitment": True,
        "packs": True,
        "cards": True,
        "payout": True,
    }


@pytest.mark.parametrize("ending", ["", ".json", "?step=1", "#proof", ".txt"])
def test_a_hand_is_right_from_the_address_of_a_running_site(server: Server, played: Json, ending: str) -> None:
    for command in ("verify", "show"):
        assert run(command, f"{server.url}/h/{played['hand']}{ending}").exit_code == 0


def test_a_hand_is_shown(played: Json, file: Callable[[Any], str]) -> None:
    said = json.loads(run("show", "--json", file(played)).output)
    assert (said["game"], said["moves"], said["payouts"]) == ("poker", played["moves"], played["payouts"])
    assert [row.split() for row in said["cards"]] == played["cards"]
    assert "poker" in run("show", played["notation"]).output


def swapped(cards: list[str]) -> list[str]:
    return [cards[1], cards[0], *cards[2:]]


TAMPERINGS: dict[str, Callable[[Json], Any]] = {
    "seed": lambda hand: hand["proof"].update(seed="00" * 32),
    "commitment": lambda hand: hand["proof"].update(commitment="00" * 32),
    "cut": lambda hand: hand["proof"].update(cuts=["another"]),
    "more cuts": lambda hand: hand["proof"]["cuts"].append("x"),
    "id": lambda hand: hand["proof"].update(id="another"),
    "decks": lambda hand: hand["proof"]["packs"][0].update(decks=2),
    "jokers": lambda hand: hand["proof"]["packs"][0].update(jokers=1),
    "no packs": lambda hand: hand["proof"].update(packs=[]),
    "offset": lambda hand: hand["proof"].update(offset=1),
    "jokers that are left out": lambda hand: hand["proof"]["packs"][0].pop("jokers"),
    "one pack too many": lambda hand: hand["proof"]["packs"].append({"decks": 1, "jokers": 0}),
    "cuts in one word": lambda hand: hand["proof"].update(cuts="x"),
    "key": lambda hand: hand.update(hand="another"),
    "key and id": lambda hand: (hand.update(hand="another"), hand["proof"].update(id="another")),
    "offset from the end": lambda hand: hand["proof"].update(offset=-52),
    "no proof": lambda hand: hand.update(proof=None, proof_opens="when-the-shoe-is-finished"),
    "status": lambda hand: hand.update(status="void"),
    "labels": lambda hand: hand["labels"][0].update(code="ROYAL_FLUSH"),
    "rules": lambda hand: hand["rules"].update(jokers=1),
    "pay table": lambda hand: hand["rules"]["pay_table"]["lines"][0].update(pays=1),
    "seats": lambda hand: hand.update(seats=[{"payout": 0, "net": 0, "banker": True}]),
    "order": lambda hand: hand["cards"].__setitem__(0, swapped(hand["cards"][0])),
    "hidden card": lambda hand: hand["cards"].__setitem__(1, swapped(hand["cards"][1])),
    "payouts": lambda hand: hand.update(payouts=[999]),
    "moves": lambda hand: hand.update(moves=["hold"]),
    "stakes": lambda hand: hand.update(stakes=[5]),
    "table": lambda hand: hand.update(table="quest-ties-win"),
    "notation": lambda hand: hand.update(notation=hand["notation"].replace("poker/quest ", "poker/quest-ties-win ")),
    "notation is another thing": lambda hand: hand.update(notation="x"),
}


@pytest.mark.parametrize("what", TAMPERINGS)
def test_a_hand_that_was_tampered_with_is_found_wrong(played: Json, file: Callable[[Any], str], what: str) -> None:
    hand = deepcopy(played)
    TAMPERINGS[what](hand)
    assert hand != played
    said = run("verify", file(hand))
    assert said.exit_code == 1
    assert "WRONG" in said.output or "Error" in said.output


NONSENSE: dict[str, Callable[[Json], Any]] = {
    "no proof key": lambda hand: hand.pop("proof"),
    "no cards": lambda hand: hand.pop("cards"),
    "no notation": lambda hand: hand.pop("notation"),
    "no payouts": lambda hand: hand.pop("payouts"),
    "notation is a number": lambda hand: hand.update(notation=7),
    "notation is null": lambda hand: hand.update(notation=None),
    "cards are numbers": lambda hand: hand.update(cards=[[1, 2], [3]]),
    "cards are null": lambda hand: hand.update(cards=[None]),
    "seed is no hex": lambda hand: hand["proof"].update(seed="zz"),
    "seed is short": lambda hand: hand["proof"].update(seed="00"),
    "seed is null": lambda hand: hand["proof"].update(seed=None),
    "scheme": lambda hand: hand["proof"].update(scheme="tf2"),
    "decks": lambda hand: hand["proof"]["packs"][0].update(decks="many"),
    "half a deck": lambda hand: hand["proof"]["packs"][0].update(decks=0.5),
    "a hundred decks": lambda hand: hand["proof"]["packs"][0].update(decks=100),
    "offset": lambda hand: hand["proof"].update(offset="x"),
    "endless offset": lambda hand: hand["proof"].update(offset=float("inf")),
    "cuts": lambda hand: hand["proof"].update(cuts=[1, 2]),
    "cuts are null": lambda hand: hand["proof"].update(cuts=None),
    "proof is a list": lambda hand: hand.update(proof=[1]),
    "proof is a text": lambda hand: hand.update(proof="yes"),
}


@pytest.mark.parametrize("what", NONSENSE)
def test_a_hand_with_nonsense_in_it_is_found_wrong_without_a_crash(played: Json, file: Callable[[Any], str], what: str) -> None:  # fmt: skip
    hand = deepcopy(played)
    NONSENSE[what](hand)
    for command in ("verify", "show"):
        said = run(command, file(hand))
        assert said.exit_code == 1 or (command == "show" and said.exit_code == 0)
        assert "Error" in said.output or "WRONG" in said.output or said.exit_code == 0


@pytest.mark.parametrize(
    "source",
    ["nonsense", "poker/quest - x hold 0", "{}", "[]", "null", '{"a": NaN}', "poker/quest", "札"],
    ids=lambda source: ascii(source[:12]),
)  # fmt: skip
def test_what_is_no_hand_is_a_wrong_use_and_says_why(source: str, file: Callable[[Any], str]) -> None:
    for command in ("verify", "show"):
        for said in (run(command, "-", stdin=source), run(command, file(source))):
            assert said.exit_code == 2
            assert "Error" in said.output


def test_json_of_something_else_is_a_wrong_use(server: Server, played: Json, file: Callable[[Any], str]) -> None:
    """This includes a hand in play, which cannot be verified yet."""
    alice = Player(server.url)
    board = sealed(alice, "poker")
    summaries = alice.get("/me").json
    for content in (board, summaries, {"error": "hand-not-found", "message": "..."}, [played], json.dumps(played)):
        assert run("verify", file(json.dumps(content))).exit_code == 2
    for path in ("/", "/play/poker", "/me", "/daily", "/rules/poker"):
        said = run("verify", f"{server.url}{path}")
        assert (said.exit_code, "Error" in said.output) == (2, True), path


@pytest.mark.parametrize(
    "content",
    [b"", b" \n", b"\xef\xbb\xbf", b"{", b"{}{}", b"{" * 5000, b"\0", b"\x89PNG\r\n\x1a\n\xff\xfe"],
    ids=["empty", "blank", "a mark alone", "half", "two", "endless", "nul", "picture"],
)
def test_what_cannot_be_read_is_a_wrong_use(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    for command in ("verify", "show"):
        for said in (run(command, str(tmp_path / "file")), run(command, "-", stdin=content)):
            assert (said.exit_code, "Error" in said.output) == (2, True)


def test_a_hand_that_begins_with_a_byte_order_mark_is_read(played: Json, tmp_path: Path) -> None:
    for content in (json.dumps(played), played["notation"]):
        marked = content.encode("utf-8-sig")
        (tmp_path / "file").write_bytes(marked)
        for command in ("verify", "show"):
            for said in (run(command, str(tmp_path / "file")), run(command, "-", stdin=marked)):
                assert said.exit_code == 0, said.output


def test_what_only_the_player_can_compare_is_printed(played: Json, file: Callable[[Any], str]) -> None:
    proof, said = played["proof"], run("verify", file(played)).output
    for known in (played["hand"], "poker/quest", proof["commitment"], *proof["cuts"]):
        assert known in said


def test_what_a_forger_tells_does_not_write_over_what_is_found(played: Json, file: Callable[[Any], str]) -> None:
    forged = played | {"proof": played["proof"] | {"commitment": "\x1b[2J\x1b[Hright: all of it\r\n"}}
    said = run("verify", file(forged)).output
    assert "WRONG: the seed opens the commitment" in said
    assert not set("\x1b\r") & set(said)
    assert len(said.splitlines()) == 7


def test_a_hand_from_the_middle_of_a_shoe_is_right_and_says_where(server: Server, file: Callable[[Any], str]) -> None:
    alice = Player(server.url)
    keys = []
    for _ in range(2):
        dealt(alice, game="blackjack")
        keys.append(finished(alice, Random(5)))
    waiting = run("verify", file(finished_json(alice, keys[1])))
    assert (waiting.exit_code, waiting.output.count("right:")) == (0, 1)
    assert "when the shoe is finished" in waiting.output
    sealed(alice, "blackjack", "downtown")
    hand = finished_json(alice, keys[1])
    said = run("verify", file(hand))
    assert (said.exit_code, said.output.count("right:")) == (0, 4)
    assert f"{hand['proof']['id']}, {hand['proof']['offset']} cards dealt before" in said.output
    for changed in ({"offset": 0}, {"offset": hand["proof"]["offset"] + 1}, {"packs": [{"decks": 5, "jokers": 0}]}):
        assert run("verify", file(hand | {"proof": hand["proof"] | changed})).exit_code == 1


@pytest.mark.parametrize("name", ["my hand.json", "poker/quest - x hold 0", "手札 一.json", "a" * 200])
def test_a_file_may_have_any_name(played: Json, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(played), encoding="utf-8")
    for command in ("verify", "show"):
        assert run(command, str(path)).exit_code == 0


@pytest.mark.parametrize(
    "source",
    ["missing.json", "a missing file.json", "poker/quest", "out/of the way/hand of mine.json", "", " ", ".", "\0", "札" * 3000],
    ids=lambda source: ascii(source[:12]),
)  # fmt: skip
def test_what_is_neither_a_file_nor_an_address_nor_a_line_is_a_wrong_use(source: str) -> None:
    for command in ("verify", "show"):
        said = run(command, source)
        assert (said.exit_code, "Error" in said.output) == (2, True)


@pytest.mark.parametrize("line", ["poker/x - AhKh - *", "blackjack/vegas 0 2h - 0", "poker/quest - 2h3h4h5h2h - *"])
def test_a_line_that_is_wrong_is_found_wrong(line: str) -> None:
    for command in ("verify", "show"):
        assert run(command, line).exit_code == 1


@pytest.mark.parametrize(
    "line", ["poker/quest - x hold 0", "poker/quest x 2h hold 0", "poker/quest - 2h3h ! 0", "blackjack/vegas 0 - - 0"]
)
def test_a_line_that_cannot_be_read_is_a_wrong_use(line: str) -> None:
    for command in ("verify", "show"):
        said = run(command, line)
        assert (said.exit_code, "Error" in said.output) == (2, True)


def test_a_line_with_another_payout_is_found_wrong(played: Json) -> None:
    for lie in (played["notation"] + "1", played["notation"].replace("double", "collect", 1)):
        assert run("verify", lie).exit_code == 1


@pytest.mark.parametrize("lie", [{"net": 7}, {"net": 0}, {"staked": 5}, {"net": None, "staked": False}, {"round": 1}])
def test_chips_that_are_stated_and_do_not_follow_are_found_wrong(
    played: Json, file: Callable[[Any], str], lie: Json
) -> None:
    said = run("verify", file(played | lie))
    assert (said.exit_code, "WRONG: the moves lead" in said.output) == (1, True)


def test_a_file_that_may_not_be_read_is_a_wrong_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal is simulated, since root may read every file."""

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "locked").write_text("x")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    said = run("verify", str(tmp_path / "locked"))
    assert (said.exit_code, "cannot be read" in said.output) == (2, True)


def test_an_address_that_cannot_be_read_is_a_wrong_use(server: Server) -> None:
    for address in (f"{server.url}/h/nothing", "http://127.0.0.1:9/h/x", "http://[::/", "http://"):
        assert run("verify", address).exit_code == 2, address
    assert run("verify").exit_code == 2
    assert run("prove", "x").exit_code == 2
