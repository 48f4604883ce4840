"""The first three hands of a new player show an introductory line for the game; the fourth does not."""

import re

import pytest

from tests.e2e.stacked import stacked
from tests.support.moves import ELSEWHERE, dealt, dealt_and_live, every_game, finished, sealed
from tests.support.player import Player

PAGE = {"Accept": "text/html"}
LINE = 'class="coach__whisper"'


@every_game
def test_the_first_three_hands_have_a_line_that_says_what_to_do(alice: Player, game: str) -> None:
    seqs, said = [], []
    while not seqs or seqs[-1] < 4:
        seqs.append(dealt_and_live(alice, game)["seq"])
        page = alice.get(f"/play/{game}", **PAGE).text
        said.append(re.sub(r"<[^>]*>", "", page.partition(LINE)[2].partition(">")[2].partition("</p>")[0]).strip())
        assert said[-1] in page.partition('data-say="')[2].partition('"')[0], "a screen reader hears it too"
        finished(alice)
    assert [bool(line) for line in said] == [seq <= 3 for seq in seqs]
    assert len(said) > 1


def opened_by_link(alice: Player, bob: Player, game: str) -> str:
    """Return the page of a practice hand of bob's, which is live, with the cards of a hand of alice's."""
    while True:
        dealt_and_live(alice, game)
        key = finished(alice)
        sealed(alice, game, ELSEWHERE[game])  # a shoe that is left is opened
        address = bob.post(f"/h/{key}/again", **PAGE).headers["location"]
        page = bob.get(address, **PAGE).text
        if 'name="verb"' in page.partition('<section class="dock"')[2]:
            return page


@every_game
def test_who_comes_by_a_link_is_told_too_and_who_knows_the_game_is_not(alice: Player, bob: Player, game: str) -> None:
    assert LINE in opened_by_link(alice, bob, game)
    for _ in range(3):
        dealt_and_live(bob, game)
        finished(bob)
    assert LINE not in opened_by_link(alice, bob, game)


def test_what_pays_is_held_in_practice_and_not_at_the_daily_deal(alice: Player, bob: Player) -> None:
    with stacked("8h 8d 3s 2c 9d 4h 5s Kc"):
        dealt(alice)
        key = finished(alice)
        page = bob.get(bob.post(f"/h/{key}/again", **PAGE).headers["location"], **PAGE).text
        assert re.findall(r'id="hold-(\d)"[^>]*\schecked', page) == ["1", "2"]
    page = bob.get(bob.post("/daily/poker", **PAGE).headers["location"], **PAGE).text
    assert LINE in page
    assert "data-mark" in page
    assert not re.search(r"data-mark[^>]*\schecked", page)
    assert "data-hint" not in page


def test_the_first_five_hands_of_blackjack_say_what_its_words_mean(alice: Player) -> None:
    with stacked("Ah 6d 3s Kc 5d 9h"):
        dealt(alice, game="blackjack", stakes=(10,))
    assert "You have 14 or 4" in alice.get("/play/blackjack", **PAGE).text
    finished(alice)
    told: dict[int, list[bool]] = {}
    while not told or max(told) < 6:
        seq = dealt_and_live(alice, "blackjack")["seq"]
        dock = alice.get("/play/blackjack", **PAGE).text.partition('<form class="acts')[2].partition("</form>")[0]
        if alice.board["view"]["phase"] == "play":
            told[seq] = ["one more card" in dock, re.search(r"keep \d+", dock) is not None]
        finished(alice)
    assert told == {seq: [seq <= 5] * 2 for seq in told}
    assert min(told) <= 5 < max(told)


GOLD, OUTLINE = "The golden button is the best move.", "No play is sure here: it is your call."


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("8h 8d 8s 2c 9d 4h 5s Kc", GOLD),
        ("8h 8d 3h 2h 9h 4h 5s Kc", OUTLINE),
        ("8h Qd 3s 2c 9d 4h 5s Kc", ""),
    ],
)
def test_the_first_hands_say_what_gold_and_its_outline_mean(alice: Player, cards: str, said: str) -> None:
    """And a tap on the words opens the rules that say more."""
    for number in (1, 2, 3):
        with stacked(cards):
            dealt(alice)
            page = alice.get("/play/poker", **PAGE).text
            line = page.partition(LINE)[2].partition("</p>")[0]
            assert [tip for tip in (GOLD, OUTLINE) if tip in line] == ([said] if said and number <= 2 else [])
            assert ("data-help" in line) is (number <= 2)
            assert bool(re.search(r'class="btn[^"]*btn--primary', page)) is (said == GOLD)
            finished(alice)


def test_the_first_hand_of_blackjack_says_what_gold_and_its_outline_mean(alice: Player) -> None:
    for number in (1, 2):
        with stacked("Th 6d 9s Kc 5d 9h"):
            dealt(alice, game="blackjack", stakes=(10,))
            dock = alice.get("/play/blackjack", **PAGE).text.partition('<form class="acts')[2].partition("</form>")[0]
            assert (GOLD in dock) is (number == 1)
            assert ("On the table: 10" in dock) is (number > 1)
            finished(alice)


@pytest.mark.parametrize(
    ("table", "cards", "gold"),
    [
        ("classic", "Th 6d Ts Kc 5d 9h", "stand"),
        ("classic", "5h 6d 4s Kc 5d 9h", "hit"),
        ("vegas", "Th 6d Ts Kc 5d 9h", "stand"),
    ],
)
def test_the_keyboard_begins_at_the_golden_button(alice: Player, table: str, cards: str, gold: str) -> None:
    """Enter presses what has the focus: to hit 20 with it is a mistake that no finger makes."""
    with stacked(cards):
        dealt(alice, game="blackjack", table=table, stakes=() if table == "classic" else (10,))
        dock = alice.get("/play/blackjack", **PAGE).text.partition('<form class="acts')[2].partition("</form>")[0]
    (focused,) = re.findall(r"<button[^>]*data-focus[^>]*>", dock)
    assert f'value="{gold}"' in focused
    assert "btn--primary" in focused


@pytest.mark.parametrize(
    ("cards", "outlined", "focused"),
    [
        ("Ah 9d 8s Kc 5d 9h", {"stand"}, "stand"),  # a soft 19
        ("5h 4d 4s Kc 5d 9h", {"hit", "double"}, "hit"),  # 9: no card takes it over 21
        ("Th 4d 2s Kc 5d 9h", {"hit", "stand"}, "hit"),  # 12 against a four is close
    ],
)
def test_no_line_marks_what_is_never_right(alice: Player, cards: str, outlined: set[str], focused: str) -> None:
    with stacked(cards):
        dealt(alice, game="blackjack", table="vegas", stakes=(10,))
        dock = alice.get("/play/blackjack", **PAGE).text.partition('<form class="acts')[2].partition("</form>")[0]
    buttons = {re.findall(r'value="(\w+)"', each)[0]: each for each in re.findall(r"<button[^>]*>", dock)}
    assert {verb for verb, each in buttons.items() if "btn--due" in each} == outlined
    assert [verb for verb, each in buttons.items() if "data-focus" in each] == [focused]
