"""Sentences of draw poker: what comes after a hand that brought nothing, and what is held, in each language."""

import re
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask

from tests.support import draw_poker_hands as hands
from webapp.engine.action import Action
from webapp.engine.cards import JOKER, STANDARD_DECK, parse_cards
from webapp.engine.game import Setup
from webapp.engine.games import GAMES
from webapp.services.solo.board import SameDeal

Render = Callable[..., str]

RULES = GAMES["poker"].rules("quest")
VERDICT = '{% import "games/draw_poker/verdict.html" as verdict %}{{ verdict.of(view, rules, (), "", same) }}'
OPTION = '{% import "games/draw_poker/odds.html" as odds %}{{ odds.option(action, desk) }}'
NEXT, TOMORROW = "The next hand is ready.", "New cards tomorrow."
OPEN = "Still open today: Joker poker, Blackjack."
ENDS = {
    "a hand": (None, [NEXT]),
    "practice": (SameDeal(practice=True, of="k"), []),
    "the daily deal": (SameDeal(practice=False, daily="2026-11-23", still_open=("joker", "blackjack")), [OPEN]),
    "the last daily deal": (SameDeal(practice=False, daily="2026-11-23", still_open=()), [TOMORROW]),
    "the daily deal after midnight": (SameDeal(practice=False, daily="2026-11-23"), []),
    "the first of three": (SameDeal(practice=False, daily="2026-11-23", number=1, rounds=3), []),
    "the last of three": (
        SameDeal(practice=False, daily="2026-11-23", number=3, rounds=3, still_open=()),
        [TOMORROW],
    ),
}
LOST = {
    "no hand": hands.seen(hands.deal(hands.NOTHING), hands.KEEP_ALL),
    "one card short": hands.seen(hands.deal("Tc Jc Qc Kc 2d"), hands.KEEP_ALL),
    "doubled and lost": hands.seen(hands.deal(hands.ONE_PAIR, hands.LOSE_1), hands.KEEP_ALL, "double", "pick-1"),
}


@pytest.fixture
def rendered(site: Flask) -> Render:
    """Return the text of a template, without markup, in a language."""

    def render(source: str, language: str = "en", **values: Any) -> str:
        with site.test_request_context(headers={"Accept-Language": language}):
            written = site.jinja_env.from_string(source).render(**values)
        return " ".join(re.sub(r"<[^>]*>", "", written).split())

    return render


@pytest.mark.parametrize("lost", LOST)
@pytest.mark.parametrize("end", ENDS)
def test_a_hand_that_brought_nothing_says_what_really_comes_next(rendered: Render, end: str, lost: str) -> None:
    same, sentences = ENDS[end]
    said = rendered(VERDICT, view=LOST[lost], rules=RULES, same=same)
    assert [sentence for sentence in (NEXT, TOMORROW, OPEN) if sentence in said] == sentences


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Hold Q Q"), ("ja", "Q Qを残す"), ("zh-CN", "保留Q Q"), ("zh-TW", "保留Q Q")],
)
def test_what_is_held_stands_where_the_language_has_it(rendered: Render, language: str, said: str) -> None:
    """The suits are pictures."""
    desk = SimpleNamespace(cards=lambda _: parse_cards("Qh Qd 2c 4s 6c"))
    assert rendered(OPTION, language, action=Action.parse("hold-1-2"), desk=desk) == said


@pytest.mark.parametrize(("wins", "said"), [(0, "10 wins to the top"), (3, "Won 3 of 10")])
def test_the_double_up_tells_where_it_leads(rendered: Render, wins: int, said: str) -> None:
    source = '{% include "games/draw_poker/_wins.html" %}'
    assert rendered(source, view=SimpleNamespace(wins=wins), rules=RULES) == said


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("2h 5h 9h Kh 4c", "Four of a suit: one short of a flush."),
        ("5h 6d 7h 8c Kc", "One card was missing for a straight."),
        ("2h 6h 9h Kc Js", "Three of a suit: two short of a flush."),
        (hands.NOTHING, "Two cards were missing for a straight."),
        ("2c 7d Qh 5s Tc", "No pair, no straight, no flush: nothing pays."),
        ("9c 9d 2h 4s 6c", ""),
    ],
)
def test_the_first_hands_are_told_why_nothing_is_paid(rendered: Render, cards: str, said: str) -> None:
    view = hands.seen(hands.deal(cards), hands.KEEP_ALL)
    shown = rendered('{% include "games/draw_poker/_whisper.html" %}', view=view, rules=RULES)
    assert said in shown
    assert bool(said) == (view.category == "NOTHING")


def test_the_first_hands_are_not_told_to_hold_what_pays_where_the_deuces_alone_are_better(rendered: Render) -> None:
    def told(cards: str) -> str:
        view = hands.seen(hands.deal(cards, table="deuces-full", stakes=(5,)), game=GAMES["video"])
        rules = GAMES["video"].rules("deuces-full")
        return rendered('{% include "games/draw_poker/_whisper.html" %}', view=view, rules=rules)

    nothing_made, three_of_a_kind, five_of_a_kind = map(told, ("2c 4d 7h 9s Kd", "2c 2d 7h 9s Kd", "2c 7d 7h 7s 7c"))
    assert nothing_made == three_of_a_kind != five_of_a_kind


WHISPER = '{% include "games/draw_poker/_whisper.html" %}'
TABLES = [(code, table) for code in ("poker", "video", "joker") for table in GAMES[code].spec.variants]


@pytest.mark.parametrize(("code", "table"), TABLES)
def test_a_tip_is_true_of_the_cards_that_it_stands_over(rendered: Render, code: str, table: str) -> None:
    game = GAMES[code]
    rules = game.rules(table)
    pack = [*STANDARD_DECK, *[JOKER] * rules.jokers]
    tips = {"Hold what pays": 0, "wild card": 0, "": 0}
    random = Random(f"tips of {table}")
    for _ in range(150):
        cards = tuple(random.sample(pack, 10))
        setup = Setup(table, (10,) if rules.bets else (), (cards,))
        view = hands.seen(setup, game=game)
        said = rendered(WHISPER, view=view, rules=rules)
        tip = next(tip for tip in tips if tip in said)
        tips[tip] += 1
        pays_best = view.worth and view.sure_hold(rules) == view.making
        is_true = {"Hold what pays": pays_best, "wild card": any(view.stand_ins), "": True}
        assert is_true[tip], (said, cards)
    assert tips["Hold what pays"]
    assert tips[""]


@pytest.mark.parametrize(
    ("table", "cards", "least"),
    [
        ("jacks-9-6", "9c 9d 2h 4s 6c", "Jacks or better is the least that pays."),
        ("deuces-full", "9c 9d Ah 4s 4c", "Three of a kind is the least that pays."),
    ],
)
def test_a_hand_that_is_too_low_to_be_paid_says_what_would_have_been(
    rendered: Render, table: str, cards: str, least: str
) -> None:
    video = GAMES["video"]
    view = hands.seen(hands.deal(cards, table=table, stakes=(10,)), hands.KEEP_ALL, game=video)
    source = VERDICT.replace("()", "(10,)")
    said = rendered(source, view=view, rules=video.rules(table), same=None)
    assert least in said
    assert " pays nothing " in said, "its name alone would be that of a win"
    nothing = hands.seen(hands.deal("9c 7d 3h 4s 6c", table=table, stakes=(10,)), hands.KEEP_ALL, game=video)
    assert least not in rendered(source, view=nothing, rules=video.rules(table), same=None)


def test_to_end_the_exchanges_is_called_what_its_button_says(rendered: Render) -> None:
    rules = GAMES["joker"].rules("arcade")
    view = hands.seen(hands.deal("9c 9d 2h 4s 6c", table="arcade", stakes=(10,)), game=GAMES["joker"])
    dock = '{% import "games/draw_poker/dock.html" as dock %}{{ dock.draw("/", view, rules) }}'
    said = rendered(OPTION, action=Action.parse("stop"), desk=None)
    assert rules.may_stop and f"{said} S " in rendered(dock, view=view, rules=rules)


def test_a_chip_that_the_purse_does_not_pay_is_no_hole(site: Flask) -> None:
    source = '{% import "components/bets.html" as bets %}{{ bets.chips(rules.bets, 1, 90, 90, true) }}'
    with site.test_request_context():
        chips = site.jinja_env.from_string(source).render(rules=GAMES["video"].rules("jacks-9-6"))
    shown = re.findall(r'data-chip="(\d+)"( disabled)?', chips)
    assert shown == [(chip, " disabled" if int(chip) > 90 else "") for chip, _ in shown]
    assert [chip for chip, _ in shown] == [str(chip) for chip in GAMES["video"].rules("jacks-9-6").bets.chips]
    assert {off for _, off in shown} == {"", " disabled"}
