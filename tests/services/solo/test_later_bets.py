"""Doubles, splits and insurance: chips staked during a round are charged once, never on credit, and always counted."""

from collections.abc import Callable
from random import Random

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.concurrency import at_once, require_played_once, tabs_of
from tests.support.cookies import cookie_of, send_from_now_on, tab_of
from tests.support.moves import finished, finished_json, on_the_table, sealed
from tests.support.player import Json, Player
from tests.support.rows import findings, row, rows, tamper

GAME = "blackjack"
CROWD = 25
TABLES = ("vegas", "vegas,surrender=late", "european", "single", "downtown,resplit_aces=true,hit_split_aces=true")
RAISES = ("split", "double", "insure")
DealThatOffers = Callable[..., Json]
once = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def same(board: Json) -> Json:
    return {name: value for name, value in board.items() if name != "note"}


def settled(before: Json, board: Json) -> bool:
    """Return True if the purse is what it must be after a move."""
    paid = sum(board["result"]["payouts"]) if board["result"] else 0
    return bool(board["purse"] == before["purse"] + on_the_table(before) - on_the_table(board) + paid)


# ------------------------------------------------------------------------------------------------ crowds and copies


@pytest.mark.parametrize("verb", RAISES)
def test_twenty_five_who_put_in_the_same_chips_at_once_put_them_in_once(
    app: Flask, alice: Player, deal_that_offers: DealThatOffers, verb: str
) -> None:
    before = deal_that_offers(alice, verb)
    step = alice.step
    board = require_played_once(at_once(tabs_of(alice, CROWD), lambda tab: tab.act(verb, step=step)), CROWD)
    assert board["step"] == step + 1
    assert on_the_table(board) == on_the_table(before) + (5 if verb == "insure" else 10)
    assert settled(before, board)
    entries = row(app, "SELECT count(*), sum(amount) FROM ledger_entry WHERE hand_key = :key AND reason LIKE 'raise%'", key=alice.hand)  # fmt: skip
    assert entries == (1, -5 if verb == "insure" else -10)
    assert findings(app) == []


@pytest.mark.parametrize("database_url", [pytest.param("postgresql", marks=pytest.mark.pg), "sqlite"], indirect=True)
def test_of_a_split_a_double_and_a_stand_at_once_exactly_one_is_played(
    app: Flask, alice: Player, deal_that_offers: DealThatOffers
) -> None:
    before = deal_that_offers(alice, "split")
    verbs = ["split", "double", "stand"] * 8
    tabs, step = tabs_of(alice, len(verbs)), alice.step

    def act(tab: Player) -> Json:
        return tab.act(verbs[tabs.index(tab)], step=step)

    heard = at_once(tabs, act)
    assert {status for status, _ in heard} == {200}
    (first,) = [said for _, said in heard if said["note"] is None]
    assert all(same(said) == same(first) for _, said in heard)
    assert settled(before, first)
    (moves,) = row(app, "SELECT moves FROM hand WHERE key = :key", key=alice.hand)
    assert len(moves.split()) == step + 1
    assert findings(app) == []


@once
@pytest.mark.parametrize("verb", RAISES)
def test_chips_whose_answer_was_lost_are_sent_again_and_counted_once(
    app: Flask, alice: Player, deal_that_offers: DealThatOffers, verb: str
) -> None:
    before = deal_that_offers(alice, verb)
    step = alice.step
    first = alice.act(verb)
    for _ in range(3):
        again = alice.act(verb, step=step)
        assert (alice.status, again["note"]) == (200, "repeated")
        assert same(again) == same(first)
    assert settled(before, first)
    if not alice.over:
        finished(alice)
    for number, move in enumerate(finished_json(alice, alice.hand)["moves"]):
        assert alice.act(move, step=number)["note"] == "repeated"
    assert findings(app) == []


@once
@pytest.mark.parametrize("other", ["stand", "double", "hit"])
def test_a_saved_cookie_sent_after_a_split_takes_nothing_back(
    app: Flask, alice: Player, deal_that_offers: DealThatOffers, other: str
) -> None:
    deal_that_offers(alice, "split")
    saved, step = cookie_of(alice), alice.step
    alice.act("split")
    after = alice.board
    send_from_now_on(alice, saved)
    late = alice.act(other, step=step)
    assert (alice.status, late["note"]) == (200, "moved-on")
    assert same(late) == same(after)
    send_from_now_on(alice, saved)
    assert same(alice.look() if not alice.over else alice.act("split", step=step)) == same(after)
    assert findings(app) == []


@once
def test_a_saved_cookie_cannot_take_an_insurance_back(
    app: Flask, alice: Player, deal_that_offers: DealThatOffers
) -> None:
    before = deal_that_offers(alice, "insure", (10,))
    saved, step = cookie_of(alice), alice.step
    after = alice.act("insure")
    send_from_now_on(alice, saved)
    late = alice.act("decline", step=step)
    assert (late["note"], late["purse"]) == ("moved-on", after["purse"])
    assert settled(before, after)
    assert findings(app) == []


@once
def test_of_two_tabs_one_splits_and_the_other_doubles_too_late(
    app: Flask, alice: Player, deal_that_offers: DealThatOffers
) -> None:
    deal_that_offers(alice, "split")
    tab, step = tab_of(alice), alice.step
    first = alice.act("split")
    late = tab.act("double", step=step)
    assert (tab.status, late["note"]) == (200, "moved-on")
    assert same(late) == same(first)
    assert findings(app) == []


# ------------------------------------------------------------------------------------------------ what the purse can pay


@once
@pytest.mark.parametrize("verb", [verb for verb in RAISES if verb != "insure"])
@pytest.mark.parametrize("left", [0, 9])
def test_what_the_purse_cannot_pay_is_not_offered_and_refused_when_it_is_sent(
    app: Flask, alice: Player, deal_that_offers: DealThatOffers, verb: str, left: int
) -> None:
    """An insurance is not even asked for: ``test_without_choice.py``."""
    board = deal_that_offers(alice, verb, (1000 - left,))
    assert board["purse"] == left
    assert verb not in board["actions"]
    assert "stand" in board["actions"], "there is always something that costs nothing"
    before = rows(app)
    answer = alice.post(f"/play/{GAME}/{alice.hand}/{alice.step}", [("verb", verb)])
    assert (answer.status, answer.json["error"]) == (422, "purse-too-small")
    assert answer.json["hand"] == board
    assert rows(app) == before
    alice.do("stand")
    assert alice.status == 200
    assert findings(app) == []


@settings(max_examples=settings.default.max_examples // 6, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_chips_in_the_purse_and_on_the_table_are_as_many_as_before_but_for_what_is_paid(site: Flask, seed: int) -> None:
    """At every table, with any bets and actions; everything that is offered can be paid."""
    chance, visitor = Random(seed), Player(site.test_client())
    for _ in range(3):
        board = sealed(visitor, GAME, chance.choice(TABLES))
        purse = board["purse"]
        most = min(purse, 1000)
        stakes = [min(most, max(10, chance.choice([10, 11, 25, most // 3, most // 2, most])))]
        while len(stakes) < 3 and sum(stakes) + 10 <= purse and chance.random() < 0.5:
            stakes.append(chance.randint(10, min(1000, purse - sum(stakes))))
        visitor.deal("cut", stakes)
        assert visitor.status == 200
        assert visitor.board["purse"] + on_the_table(visitor.board) == purse + paid(visitor.board)
        while not visitor.over:
            before = visitor.board
            prices = {"split": bet_in_turn, "double": bet_in_turn, "insure": insurance_in_turn}
            assert all(prices[verb](before) <= before["purse"] for verb in visitor.actions if verb in prices)
            likings = {"split": 9.0, "double": 3.0, "insure": 2.0, "hit": 2.0}
            visitor.do(chance.choices(visitor.actions, [likings.get(verb, 1.0) for verb in visitor.actions])[0])
            assert visitor.status == 200
            assert settled(before, visitor.board)
            assert visitor.board["purse"] >= 0
        assert visitor.board["purse"] == purse - on_the_table(visitor.board) + paid(visitor.board)


def paid(board: Json) -> int:
    return sum(board["result"]["payouts"]) if board["result"] else 0


def bet_in_turn(board: Json) -> int:
    box, hand = board["view"]["turn"]
    return int(board["view"]["boxes"][box]["hands"][hand]["bet"])


def insurance_in_turn(board: Json) -> int:
    return int(board["view"]["boxes"][board["view"]["turn"][0]]["bet"]) // 2


# ------------------------------------------------------------------------------------------------ bets


NONE_OR_ALL = (
    [], [""], ["", ""], ["0"], ["9"], ["1"], ["1001"], ["-10"], ["10", "9"], ["10", "1001"], ["10", "-10"], ["10", "10", "10", "10"],
    ["10"] * 60, ["10", "x"], ["10", "９"], ["９"], ["٣٠"], ["1e1"], ["10.0"], ["10", " 10"], ["10", "+10"], ["010"],
    ["10", "1" + "0" * 30], ["1" + "0" * 30], ["1" * 3000], ["10", "NaN"], ["inf"], ["10,10"], ["10-10"], ["10\n"], ["10\0"], ["½"],
    ["600", "600"], ["1000", "10"],
)  # fmt: skip


@pytest.mark.parametrize("stakes", NONE_OR_ALL, ids=lambda stakes: ascii("+".join(stakes))[:30])
def test_bets_that_cannot_be_are_refused_and_nothing_is_dealt_or_charged(
    site: Flask, visitor: Player, stakes: list[str]
) -> None:
    ready = sealed(visitor, GAME)
    before = rows(site)
    fields = [("verb", "deal"), ("cut", "x"), *(("stake", stake) for stake in stakes)]
    answer = visitor.post(f"/play/{GAME}/{visitor.hand}/0", fields)
    assert (answer.status, answer.json["error"]) in ((422, "bad-stake"), (422, "purse-too-small"))
    assert same(answer.json["hand"]) == same(ready)
    assert rows(site) == before
    assert visitor.deal("x", (10,))["stakes"] == [10]


@pytest.mark.parametrize("stakes", [(10,), (1000,), (10, 20), (10, 990), (333, 333, 334), (10, 10, 10)])
def test_one_to_three_boxes_are_charged_with_the_deal_and_not_before(visitor: Player, stakes: tuple[int, ...]) -> None:
    assert sealed(visitor, GAME)["purse"] == 1000
    board = visitor.deal("cut", stakes)
    assert board["stakes"] == list(stakes)
    assert [box["bet"] for box in board["view"]["boxes"]] == list(stakes)
    assert board["purse"] == 1000 - sum(stakes) + paid(board)


@pytest.mark.parametrize("stakes", [["10"], ["1"], ["10", "10"], ["x"]])
def test_where_nothing_is_staked_a_bet_is_refused(site: Flask, visitor: Player, stakes: list[str]) -> None:
    sealed(visitor, GAME, "classic")
    before = rows(site)
    fields = [("verb", "deal"), ("cut", "x"), *(("stake", stake) for stake in stakes)]
    answer = visitor.post(f"/play/{GAME}/{visitor.hand}/0", fields)
    assert (answer.status, answer.json["error"]) == (422, "bad-stake")
    assert rows(site) == before
    visitor.deal("x")
    assert (visitor.status, visitor.board["stakes"]) == (200, [])


TABLES_THAT_ARE_NONE: tuple[str, ...] = (
    "vegas,", "vegas,decks=6", "vegas,decks=9", "vegas,decks=0", "vegas,decks=２", "vegas,decks=2,decks=2", "vegas,soft_17=hit,decks=2",
    "vegas,bets=None", "vegas,naturals=false", "classic,naturals=true", "vegas,fresh_deck=true", "vegas,penetration=1.0",
    "vegas,penetration=0.755", "vegas,max_hands=99", "decks=2", ",decks=2", "vegas;decks=2", "vegas,decks", "vegas,decks=", "vegas,x=y",
    "vegas" + ",decks=2" * 500, "VEGAS", "vegas,Decks=2", "vegas, decks=2", "vegas,split_by=None", "vegas,insurance=False",
)  # fmt: skip


@pytest.mark.parametrize("table", TABLES_THAT_ARE_NONE, ids=lambda table: ascii(table)[:40])
def test_own_rules_that_are_not_written_the_one_right_way_are_no_table(
    site: Flask, visitor: Player, table: str
) -> None:
    before = rows(site)
    asks: tuple[Callable[[], object], ...] = (
        lambda: visitor.sit(GAME, table),
        lambda: visitor.get(f"/play/{GAME}?table={table.replace(' ', '%20')}"),
    )
    for ask in asks:
        ask()
        assert (visitor.status, visitor.answer.json["error"]) == (422, "bad-setup")
        assert "set-cookie" not in visitor.answer.headers
    assert rows(site) == before


def test_a_shoe_that_is_short_of_cards_is_a_failure_and_not_a_bad_stake(app: Flask, alice: Player) -> None:
    """No player can cause it or avoid it with another bet."""
    sealed(alice, GAME)
    tamper(app, 'UPDATE hand SET "offset" = 416 WHERE key = :key', key=alice.hand)
    before = rows(app)
    answer = alice.post(f"/play/{GAME}/{alice.hand}/0", [("verb", "deal"), ("cut", "x"), ("stake", "10")])
    assert (answer.status, answer.json["error"]) == (500, "failure")
    assert rows(app) == before
