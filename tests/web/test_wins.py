"""Highlights on the page: cards that pay, the joker's card, a near miss, a loss without gold, the end of a run."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.player import Player
from webapp.engine.cards import parse_cards

Deal = Callable[..., None]
KEEP = ("hold", 1, 2, 3, 4, 5)


@pytest.fixture(scope="module")
def site(blank_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """A site of its own: its cards are chosen, so the audit would find the hands wrong."""
    folder = tmp_path_factory.mktemp("chosen")
    shutil.copy(blank_sqlite, folder / "room.sqlite3")
    site = make_app(f"sqlite:///{folder / 'room.sqlite3'}", folder)
    yield site
    close(site)


@pytest.fixture
def visitor(site: Flask) -> Player:
    return Player(site.test_client())


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> Deal:
    """Set the packs of the next hands."""

    def deal(*packs: str) -> None:
        rows = tuple(map(parse_cards, packs))
        monkeypatch.setattr("webapp.services.records.stored_hand.ShuffledPacks", lambda *_, **__: rows)

    return deal


def play(player: Player, game: str, table: str, stakes: tuple[int, ...], *moves: tuple[object, ...]) -> str:
    """Play a hand; return the page of its table."""
    player.sit(game, table)
    player.deal("cut", stakes)
    for verb, *args in moves:
        player.act(verb, *args)
        assert player.status == 200, player.answer.text
    return page_of(player, f"/play/{game}?hand={player.hand}")


def page_of(player: Player, path: str) -> str:
    return player.get(path, Accept="text/html").text


def cards_that_pay(page: str) -> list[int]:
    hand = page.split('class="hand hand--made"')[1] if "hand--made" in page else ""
    classes = re.findall(r'<span class="(card [^"]*)"', hand)[:5]
    return [place for place, each in enumerate(classes, 1) if "card--makes" in each.split()]


def test_the_answer_says_which_cards_pay_and_how_great_the_win_is(visitor: Player, chosen: Deal) -> None:
    chosen("2h 9c 4s 9d 6c 3d", "5h 9c 3d 4s 2c")
    play(visitor, "poker", "quest", (), KEEP)
    view = visitor.board["view"]
    assert (view["making"], view["joker"], view["near"], view["deciding"], view["tier"]) == (
        [2, 4],
        None,
        None,
        None,
        0,
    )
    assert visitor.board["tier"] == 0


def test_the_cards_that_pay_are_marked_on_the_table_and_in_the_replay(visitor: Player, chosen: Deal) -> None:
    chosen("2h 9c 4s 9d 6c 3d", "5h 9c 3d 4s 2c")
    assert cards_that_pay(play(visitor, "poker", "quest", (), KEEP)) == [2, 4]
    visitor.act("collect")
    assert cards_that_pay(page_of(visitor, f"/play/poker?hand={visitor.hand}")) == [2, 4]
    assert cards_that_pay(page_of(visitor, f"/h/{visitor.hand}")) == [2, 4]
    assert cards_that_pay(page_of(visitor, f"/h/{visitor.hand}?step=0")) == []


def test_a_hand_that_pays_nothing_marks_no_card(visitor: Player, chosen: Deal) -> None:
    chosen("Tc Td 2h 4s 6c 3d")
    assert cards_that_pay(play(visitor, "joker", "kings-or-better", (10,), KEEP)) == []


@pytest.mark.parametrize(
    ("cards", "english", "japanese"),
    [
        ("Ah Kh Jk Jh Th", "Joker, as queen of hearts", "ジョーカー、ハートのクイーンとして"),
        ("9c 9d Jk 4s 6c", "Joker, as nine", "ジョーカー、9として"),
    ],
)
def test_the_joker_says_what_it_stands_for_in_the_language_of_the_page(
    visitor, chosen, cards, english, japanese
) -> None:
    chosen(f"{cards} 3d")
    page = play(visitor, "joker", "kings-or-better", (10,), KEEP)
    assert f'aria-label="{english}' in page
    page = visitor.get(f"/play/joker?hand={visitor.hand}", Accept="text/html", **{"Accept-Language": "ja"}).text
    assert f'aria-label="{japanese}' in page


def test_each_deuce_says_what_it_stands_for(visitor: Player, chosen: Deal) -> None:
    chosen("2d 2h 9c 9h 9s 3d")
    page = play(visitor, "video", "deuces-full", (10,), KEEP)
    assert re.findall(r'aria-label="(Two[^"]*as nine)[^"]*"', page) == [
        "Two of diamonds, as nine",
        "Two of hearts, as nine",
    ]
    assert page.count("card__as") == 2
    chosen("2d Ah Qh Jh Th 3d")
    assert 'aria-label="Two of diamonds, as king of hearts' in play(visitor, "video", "deuces-full", (10,), KEEP)
    chosen("2d 2h 2c 2s Th 3d")
    assert "card__as" not in play(visitor, "video", "deuces-full", (10,), KEEP), "they are what they are"


def test_before_the_last_exchange_nothing_is_said_of_what_the_hand_may_become(visitor: Player, chosen: Deal) -> None:
    chosen("9c 9d Jk 4s 6c 3d")
    page = play(visitor, "joker", "kings-or-better", (10,))
    assert "card--makes" not in page
    assert "card__as" not in page


def test_a_hand_of_the_highest_tier_lies_in_its_frame_and_is_one_to_be_shared(visitor: Player, chosen: Deal) -> None:
    chosen("Ah Kh Qh Jh Th 3d", "5h 9c 3d 4s 2c")
    page = play(visitor, "poker", "quest", (), KEEP)
    assert 'class="glory"' in page
    assert 'data-tier="3"' in page
    visitor.act("collect")
    page = page_of(visitor, f"/play/poker?hand={visitor.hand}")
    assert 'data-tier="1"' in page  # the hand was shown before; only the payment is new
    assert "btn--proud" in page
    assert 'class="btn btn--primary"' not in page.split('<section class="dock"')[1]  # gold is one thing at a time
    assert 'class="glory"' in page_of(visitor, f"/h/{visitor.hand}")


def test_a_near_miss_is_one_line_on_the_table_and_aloud(visitor: Player, chosen: Deal) -> None:
    chosen("Th Jh Qh Kh 2c 3s")
    page = play(visitor, "poker", "quest", (), ("hold", 1, 2, 3, 4))
    assert page.count("One heart short of a royal flush.") == 2
    assert "data-lost" in page


def test_a_pick_that_lost_wears_no_gold(visitor: Player, chosen: Deal) -> None:
    chosen("9c 9d 2h 4s 6c 3d", "5h 2c 3d 4s 9c")
    page = play(visitor, "poker", "quest", (), KEEP, ("double",), ("pick", 1))
    opened, _, picks = page.partition('<div class="picks"')
    assert "card--win" in opened  # the card that beat it
    assert "card--lose" in picks
    assert "card--win" not in picks
    assert "data-lost" in page
    assert "finish__score--none" in page_of(visitor, f"/h/{visitor.hand}?step=3")


def test_a_pick_that_won_lies_higher(visitor: Player, chosen: Deal) -> None:
    chosen("9c 9d 2h 4s 6c 3d", "5h 9c 3d 4s 2c")
    page = play(visitor, "poker", "quest", (), KEEP, ("double",), ("pick", 1))
    assert "card--win" in page
    assert 'data-tier="1"' in page


def test_the_end_of_a_run_says_how_far_it_went(visitor: Player, chosen: Deal) -> None:
    chosen("9c 9d 9h 4s 6c 3d")
    play(visitor, "joker", "kings-or-better", (50,), KEEP)
    assert visitor.board["purse"] == 150
    assert visitor.board["run"] is None
    chosen("9c 2d 5h 4s Tc 3d")
    page = play(visitor, "joker", "kings-or-better", (150,), KEEP)
    assert visitor.board["run"] == {"peak": 150, "hands": 2}
    assert "It lasted 2 hands and held 150 at its best. A new purse is ready." in page
    assert "It lasted 2 hands" in page_of(visitor, "/play/joker")


def test_the_next_run_is_counted_by_itself(visitor: Player, chosen: Deal) -> None:
    chosen("9c 2d 5h 4s Tc 3d")
    for _ in range(2):
        page = play(visitor, "joker", "kings-or-better", (100,), KEEP)
    assert "It lasted 1 hand and held 100 at its best." in page


def test_a_purse_that_has_doubled_is_a_great_win(visitor: Player, chosen: Deal) -> None:
    chosen("9c 9d 9h 4s 6c 3d")
    play(visitor, "joker", "kings-or-better", (100,), KEEP)
    assert (visitor.board["purse"], visitor.board["view"]["tier"], visitor.board["tier"]) == (200, 1, 2)


@pytest.mark.parametrize(
    ("cards", "shown", "sound"),
    [
        ("Th 9d 9s Kc", [], None),  # a push: the bet is back
        ("Th 9d 9s 7c", ["+100"], "ping-1"),  # the dealer busts
        ("Th 9d 6s Kc", [], "tick"),
    ],
)
def test_a_bet_that_comes_back_is_not_shown_as_a_win(
    visitor: Player, chosen: Deal, cards: str, shown: list[str], sound: str | None
) -> None:
    chosen(f"{cards} 8c 8d 8s")
    page = play(visitor, "blackjack", "vegas", (100,), ("stand",))
    assert re.findall(r'class="purse__gain"[^>]*>([^<]*)<', page) == shown
    assert re.findall(r'data-result-sound="([^"]*)"', page) == ([sound] if sound else [])


def test_a_pair_that_gives_the_bet_back_is_not_shown_as_a_win(visitor: Player, chosen: Deal) -> None:
    chosen("Kc Kd 2h 4s 6c 3d")
    page = play(visitor, "joker", "kings-or-better", (10,), KEEP)
    assert "card--makes" in page
    assert "purse__gain" not in page
    assert "data-result-sound" not in page


def test_the_purse_counts_up_by_the_number_beside_it(visitor: Player, chosen: Deal) -> None:
    """The bet that comes back with a win is in the purse before."""
    chosen("Th 9d 9s 7c 8c 8d 8s")
    page = play(visitor, "blackjack", "vegas", (100,), ("stand",))
    assert "You win: +100" in page or "you win: +100" in page
    assert re.findall(r'data-sum="(\d+)" data-gain="(\d+)"', page) == [("1100", "100")]


def test_of_several_hands_one_that_pays_nothing_is_not_named(visitor: Player, chosen: Deal) -> None:
    """A pair of fives is a pair, and would be taken for one that pays."""
    chosen("5c 5d 2h 4s 9c Kd 7c 8h", "5c 5d 2h 4s 9c 5h 7c 8h", "5c 5d 2h 4s 9c Jd 7c 8h")
    page = play(visitor, "video", "jacks-9-6", (10, 10, 10), ("hold", 1, 2))
    lines = page.partition('<ol class="lines')[2].partition("</ol>")[0].split("<li")[1:]
    assert ["pays nothing" in line for line in lines] == [True, False, True]
    assert "One pair" not in "".join(lines)
    assert "Three of a kind" in lines[1]
