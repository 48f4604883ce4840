"""Reasons of holds: exact counts, whose parts come to the value of the hold."""

from collections import Counter
from random import Random

import pytest

from webapp.engine.action import Action
from webapp.engine.cards import JOKER as JOKER_CARD
from webapp.engine.cards import STANDARD_DECK, format_cards
from webapp.engine.draw_poker.state import DrawState
from webapp.engine.games import GAMES
from webapp.engine.odds import odds_of
from webapp.engine.odds.draw.spot import spot
from webapp.engine.odds.value import MemoryStore, Reason

TABLES = [("poker", "quest"), ("poker", "quest-ties-win"), ("joker", "arcade-1"), ("joker", "kings-or-better-double")]


def reason_of(code: str, state: DrawState, hold: Action, store: MemoryStore) -> Reason:
    odds = odds_of(GAMES[code])
    reason = odds.reason(state, hold, odds.decision(state, store), store)
    assert reason
    return reason


def test_four_hearts_to_the_ace_are_worth_the_royal_flush_most_of_all(store: MemoryStore) -> None:
    state = spot(GAMES["poker"], "quest", "Ah Kh Qh Jh 2c")
    reason = reason_of("poker", state, Action.parse("hold-1-2-3-4"), store)
    assert (reason.ways, reason.drawn, reason.made) == (47, 1, "")
    assert [(part.code, part.count) for part in reason.parts] == [
        ("ROYAL_FLUSH", 1),
        ("FLUSH", 8),
        ("STRAIGHT", 3),
        ("ONE_PAIR", 12),
    ]


@pytest.mark.parametrize(("code", "table"), TABLES)
def test_the_parts_of_a_hold_come_to_its_value(code: str, table: str, store: MemoryStore) -> None:
    game = GAMES[code]
    odds, rules, rng = odds_of(game), game.rules(table), Random(table)
    deck = (*STANDARD_DECK, *(JOKER_CARD,) * rules.jokers)
    for _ in range(40):
        state = spot(game, table, format_cards(rng.sample(deck, 5)))
        for option in odds.decision(state, store).options[:6]:
            reason = reason_of(code, state, option.action, store)
            assert sum(part.value for part in reason.parts) == option.value + sum(state.setup.stakes)
            assert {part.code: part.count / reason.ways for part in reason.parts} == pytest.approx(
                {line: chance for line, chance in option.outcomes.items() if line != "NOTHING"}
            )
            assert list(reason.parts) == sorted(reason.parts, key=lambda part: -part.value)


def test_the_cards_of_a_draw_of_one_are_those_that_are_dealt_one_by_one(store: MemoryStore) -> None:
    game = GAMES["joker"]
    table, rng = game.rules("arcade-1").pay_table, Random("one by one")
    for _ in range(30):
        hand = tuple(rng.sample((*STANDARD_DECK, JOKER_CARD), 5))
        state = spot(game, "arcade-1", format_cards(hand))
        reason = reason_of("joker", state, Action.parse("hold-1-2-3-4"), store)
        left = [card for card in (*STANDARD_DECK, JOKER_CARD) if card not in hand]
        lines = Counter(line.code for card in left if (line := table.line_of((*hand[:4], card))))
        assert {part.code: part.count for part in reason.parts} == lines
        assert reason.ways == len(left) == 48


def test_what_is_certain_already_is_named(store: MemoryStore) -> None:
    state = spot(GAMES["poker"], "quest", "Qh Qs 7d 5c 2d")
    made = {hold: reason_of("poker", state, Action.parse(hold), store).made for hold in ("hold-1-2", "hold-1")}
    assert made == {"hold-1-2": "ONE_PAIR", "hold-1": ""}
