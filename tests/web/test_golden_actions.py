"""The golden button plays well: no action that a table shows in gold is graded worse than fine by the review."""

import os
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask

from tests.support.blackjack_rounds import any_round as any_round_of_blackjack
from tests.support.table21_rounds import TABLE, any_deck, setup_of
from tests.web.golden_buttons import golden_actions, main_action
from webapp.engine.action import ALONE, Action
from webapp.engine.cards import JOKER, STANDARD_DECK, SUITS, Card, Rank
from webapp.engine.draw_poker.double_up import DoubleUp
from webapp.engine.draw_poker.holds import sure_hold
from webapp.engine.draw_poker.rules import POSITIONS
from webapp.engine.draw_poker.state import DrawPhase
from webapp.engine.game import AnyGame, Setup
from webapp.engine.games import SOLO
from webapp.engine.games.blackjack.game import BlackjackGame
from webapp.engine.odds import odds_of
from webapp.engine.odds.draw.final_hands import LineTables
from webapp.engine.odds.draw.hold_counts import draws, hold_sums
from webapp.engine.odds.value import Decision, Grade, grade, grade_of
from webapp.engine.poker.making import making
from webapp.services.odds.store import FolderStore
from webapp.services.solo.board import Board
from webapp.services.solo.standing import Standing

STORE = FolderStore(Path(os.environ["TEST_TABLES"]))
"""Those of three exchanges take a minute to build."""
GOOD = {None, Grade.BEST, Grade.FINE}
DRAW_TABLES = [(game, variant) for game in SOLO.values() if game.spec.marking for variant in game.spec.variants]
LAST_EXCHANGE = [table for table in DRAW_TABLES if table[0].rules(table[1]).exchanges == 1]
PAY_TABLES = [table for table in LAST_EXCHANGE if table[1] in ("quest", "arcade-1", "kings-or-better")]
"""One table of each pay table."""


def bad(decision: Decision, actions: list[Action], scale: Any) -> list[str]:
    return [str(action) for action in actions if grade_of(decision, action, scale) not in GOOD]


def of_draw_poker(app: Flask, game: AnyGame, state: Any, marks: tuple[int, ...], hinted: Any = None) -> list[Action]:
    """Return the golden actions of a hand of draw poker with these marks."""
    dock: Any = app.jinja_env.get_template("games/draw_poker/dock.html").module
    view = game.view(state, ALONE)
    if state.phase is DrawPhase.EXCHANGE:
        return golden_actions(dock.draw("/", view, state.rules, marks, hinted), marks)
    return golden_actions(dock.ask("/", view, state.rules, hinted or ""))


def any_hand(chance: Random, jokers: int) -> tuple[Card, ...]:
    """Return a whole pack. Often its first cards are of one or two suits, or of near ranks, or the joker is among them."""
    cards = [*STANDARD_DECK, *(JOKER,) * jokers]
    chance.shuffle(cards)
    suits, low = chance.sample(SUITS, 2), chance.randint(2, 10)
    favoured = chance.choice(["", "", "suits", "suit", "near", "top", "joker"])
    wanted = {
        "": lambda card: False,
        "suits": lambda card: card.suit in suits,
        "suit": lambda card: card.suit == suits[0],
        "near": lambda card: low <= card.rank < low + 5,
        "top": lambda card: card.rank >= Rank.TEN,
        "joker": lambda card: card.is_joker,
    }[favoured]
    cards.sort(key=lambda card: not wanted(card) or chance.random() < 0.3)
    return tuple(cards)


def dealt(game: AnyGame, variant: str, chance: Random) -> Any:
    rules = game.rules(variant)
    packs = (any_hand(chance, rules.jokers), *(any_hand(chance, 0) for _ in game.packs(variant)[1:]))
    return game.start(Setup(variant, (chance.choice([1, 5, 10]),) if rules.bets else (), packs))


@pytest.fixture(autouse=True)
def _request(app: Flask) -> Iterator[None]:
    with app.test_request_context("/"):
        yield


@pytest.mark.parametrize(("game", "variant"), LAST_EXCHANGE, ids=[variant for _, variant in LAST_EXCHANGE])
@pytest.mark.parametrize("hands", [100, pytest.param(1000, marks=pytest.mark.soak)])
def test_at_draw_poker_with_any_cards_marked(app: Flask, game: AnyGame, variant: str, hands: int) -> None:
    odds, chance, shown = odds_of(game), Random(4), 0
    for _ in range(hands):
        state = dealt(game, variant, chance)
        decision = odds.decision(state, STORE)
        some = tuple(sorted(chance.sample(POSITIONS, chance.randint(0, 5))))
        best = POSITIONS if decision.best.action.verb == "stop" else decision.best.action.args
        for marks, hinted in [((), None), (making(state.hand), None), (some, None), (best, best), (some, best)]:
            golden = of_draw_poker(app, game, state, marks, hinted)
            shown += len(golden)
            assert bad(decision, golden, odds.scale(state)) == [], (state.hand, marks, hinted)
            assert len(golden) <= 1
    assert shown > hands, "hints alone are golden in each hand"


@pytest.mark.parametrize(("game", "variant"), LAST_EXCHANGE, ids=[variant for _, variant in LAST_EXCHANGE])
def test_enter_does_no_worse_than_to_keep_a_hand_that_pays(app: Flask, game: AnyGame, variant: str) -> None:
    """Once it kept all five cards where nothing was certain, as a pair of jacks with four hearts."""
    dock: Any = app.jinja_env.get_template("games/draw_poker/dock.html").module
    odds, chance, uncertain = odds_of(game), Random(5), 0
    for _ in range(400):
        state = dealt(game, variant, chance)
        view = game.view(state, ALONE)
        if not view.worth or sure_hold(state.rules.pay_table, state.hand, 1):
            continue
        action = main_action(dock.draw("/", view, state.rules))
        worth = {option.action: option.value for option in odds.decision(state, STORE).options}
        assert worth[action] >= worth[Action(ALONE, "hold", POSITIONS)], state.hand
        assert (action.verb == "stop" or action.args == POSITIONS) == (len(view.making) == 5)
        uncertain += 1
    assert uncertain


def test_the_hand_that_pays_is_held_by_one_tap_and_what_is_better_to_break_is_not_golden(app: Flask) -> None:
    from tests.support.draw_poker_hands import POKER, deal, play

    def golden(cards: str) -> list[str]:
        return [str(action) for action in of_draw_poker(app, POKER, play(deal(f"{cards} 2h 3h 4h 6h 8c")), ())]

    assert golden("Qc Qd 5s 9h 7c") == ["hold-1-2"]
    assert golden("Qc 5d 5s Qh 7c") == ["hold-1-2-3-4"]
    assert golden("Qc Qd 5c 9c 7c") == []
    assert golden("Qc Jc Tc Kc 9d") == []
    assert golden("Qc Qd Qs 9h 9c") == ["hold-1-2-3-4-5"]
    assert golden("Qc 2d 5s 9h 7c") == []


def test_after_earlier_exchanges(app: Flask) -> None:
    game = SOLO["joker"]
    odds, chance, shown = odds_of(game), Random(7), 0
    for _ in range(80):
        state = dealt(game, "arcade", chance)
        for _ in range(2):
            state = game.apply(state, chance.choice([a for a in game.legal_actions(state) if a.verb == "hold"]))
        decision = odds.decision(state, STORE)
        for marks in ((), making(state.hand)):
            golden = of_draw_poker(app, game, state, marks)
            shown += len(golden)
            assert bad(decision, golden, odds.scale(state)) == [], (state.hand, marks)
    assert shown


@pytest.mark.slow
@pytest.mark.parametrize("hands", [60, pytest.param(1500, marks=pytest.mark.soak)])
def test_with_several_exchanges_left(app: Flask, hands: int) -> None:
    game = SOLO["joker"]
    odds, chance, shown = odds_of(game), Random(9), 0
    for number in range(hands):
        state = dealt(game, "arcade", chance)
        if number % 2:
            state = game.apply(state, chance.choice([a for a in game.legal_actions(state) if a.verb == "hold"]))
        decision = odds.decision(state, STORE)
        for marks in ((), making(state.hand)):
            golden = of_draw_poker(app, game, state, marks)
            shown += len(golden)
            assert bad(decision, golden, odds.scale(state)) == [], (state.hand, state.exchanges_left, marks)
    assert shown


def alike(jokers: int) -> Iterator[tuple[Card, ...]]:
    """Yield five cards of each kind that differs in more than the names of suits; some more than once."""
    ranks = sorted({card.rank for card in STANDARD_DECK})
    patterns = [p for p in product(range(4), repeat=5) if all(s <= max((-1, *p[:i])) + 1 for i, s in enumerate(p))]
    for chosen in combinations_with_replacement(ranks, 5):
        for pattern in patterns:
            hand = tuple(Card(rank, SUITS[suit]) for rank, suit in zip(chosen, pattern, strict=True))
            if len({*hand}) == 5:
                yield hand
    if jokers:
        for chosen in combinations_with_replacement(ranks, 4):
            for pattern in {p[:4] for p in patterns}:
                hand = tuple(Card(rank, SUITS[suit]) for rank, suit in zip(chosen, pattern, strict=True))
                if len({*hand}) == 4:
                    yield (*hand, JOKER)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "variant"), PAY_TABLES, ids=[variant for _, variant in PAY_TABLES])
def test_the_cards_that_pay_in_every_hand_there_is(game: AnyGame, variant: str) -> None:
    rules = game.rules(variant)
    tables = LineTables.of(rules.pay_table, rules.jokers, STORE)
    number_of_draws = draws(tables.deck)
    for hand in alike(rules.jokers):
        held = sure_hold(rules.pay_table, hand, 1)
        if not held or not rules.pay_table.pays(hand):
            continue
        worth = [total / drawn for total, drawn in zip(hold_sums(tables, hand), number_of_draws, strict=True)]
        best = max(worth)
        cost = best - worth[sum(1 << place - 1 for place in held)]
        assert grade(cost, 1 if rules.bets else best) in GOOD, hand


@pytest.mark.parametrize("tie", ["push", "win"])
def test_nothing_is_golden_at_the_double_up(app: Flask, tie: Any) -> None:
    game = SOLO["poker"]
    variant = {"push": "quest", "win": "quest-ties-win"}[tie]
    chance, seen = Random(2), set()
    while len(seen) < 6:
        state = game.apply(dealt(game, variant, chance), Action(ALONE, "hold", POSITIONS))
        while state.phase is not DrawPhase.OVER:
            if state.phase is DrawPhase.ASK:
                golden = of_draw_poker(app, game, state, ())
                assert golden == [], "both are good, or one is better: the player decides"
                seen.add(state.score)
            state = game.apply(state, chance.choice([a for a in game.legal_actions(state) if a.verb != "collect"]))


def test_after_a_hint_the_better_choice_at_the_double_up_is_golden(app: Flask) -> None:
    game = SOLO["poker"]
    odds, chance, state = odds_of(game), Random(3), None
    while state is None or state.phase is not DrawPhase.ASK:
        state = game.apply(dealt(game, "quest-ties-win", chance), Action(ALONE, "hold", POSITIONS))
    best = odds.decision(state, STORE).best.action
    assert of_draw_poker(app, game, state, (), best.verb) == [best]
    assert of_draw_poker(app, game, state, (), "collect") == [Action(ALONE, "collect")]


def test_to_double_near_the_limit_is_not_fair() -> None:
    assert DoubleUp(max_score=100).is_fair(50)
    assert not DoubleUp(max_score=100).is_fair(51)
    assert not DoubleUp(tie="win").is_fair(1)


def test_at_blackjack(app: Flask) -> None:
    """By any rules, with any cards, in any box, with insurance or without."""
    dock: Any = app.jinja_env.get_template("games/blackjack/dock.html").module
    chance, shown, hinted = Random(21), set(), set()
    for _ in range(150):
        rules, setup = any_round_of_blackjack(chance)
        game = BlackjackGame("blackjack", {"own": rules})
        odds, state = odds_of(game), game.start(setup)
        while legal := game.legal_actions(state):
            view = game.view(state, ALONE)
            actions = tuple(map(str, legal))
            board = Board(game, "own", rules, Standing(), (), view=view, actions=actions, status="live")
            macro = dock.insurance if "decline" in actions else dock.play
            golden, decision = golden_actions(macro("/", board)), odds.decision(state, STORE)
            assert bad(decision, golden, odds.scale(state)) == [], (rules, view)
            shown.update(map(str, golden))
            best = decision.best.action
            if rules.bets or best.verb in ("hit", "stand"):  # without bets no table has other actions
                assert golden_actions(macro("/", board, hinted=best.verb)) == [best], (rules, actions)
                hinted.add(best.verb)
            state = game.apply(state, chance.choice(legal))
    assert shown == {"hit", "stand", "decline"}
    assert hinted >= {*shown, "double", "split", "surrender"}


def test_at_table_21() -> None:
    odds, chance, shown = odds_of(TABLE), Random(22), set()
    for _ in range(60):
        bets = tuple(chance.randint(10, 200) for _ in range(chance.randint(1, 4)))
        state = TABLE.start(setup_of(bets, chance.randint(0, len(bets)), (any_deck(chance),)))
        while legal := TABLE.legal_actions(state):
            sure = TABLE.view(state, None).sure_verb
            golden = [action for action in legal if action.verb == sure]
            if golden:
                assert bad(odds.decision(state, STORE), golden, odds.scale(state)) == [], state.hands
                shown.add(sure)
            state = TABLE.apply(state, chance.choice(legal))
    assert shown == {"hit", "stand"}
