"""The decisions of a hand of draw poker, and invalid questions."""

import pytest

from webapp.engine.action import ALONE, Action
from webapp.engine.cards import parse_cards
from webapp.engine.errors import EngineError
from webapp.engine.game import Setup
from webapp.engine.games import GAMES
from webapp.engine.odds import odds_of
from webapp.engine.odds.draw.spot import spot
from webapp.engine.odds.value import MemoryStore

POKER, JOKER = GAMES["poker"], GAMES["joker"]


def test_four_to_a_royal_are_held(store: MemoryStore) -> None:
    state = spot(JOKER, "kings-or-better", "Ah Kh Qh Jh 2c")
    decision = odds_of(JOKER).decision(state, store)
    assert [str(option.action) for option in decision.options[:2]] == ["hold-1-2-3-4", "hold-2-3-4"]
    assert len(decision.options) == 33  # 32 holds, and to stop
    royal = decision.best
    assert royal.outcomes["NATURAL_ROYAL"] == royal.outcomes["WILD_ROYAL"] == 1 / 48
    assert sum(royal.outcomes.values()) == pytest.approx(1)
    assert float(royal.value) == pytest.approx(19.895833 - 1, abs=1e-6)


def test_every_option_has_chances_that_add_up_and_the_value_they_pay(store: MemoryStore) -> None:
    pays = {line.code: line.pays for line in JOKER.rules("kings-or-better").pay_table.lines}
    for cards in ("Jk 3h 9d 9c 2s", "2c 4d 6h 8s Tc", "Ac Ad Ah Jk As"):
        for option in odds_of(JOKER).decision(spot(JOKER, "kings-or-better", cards), store).options:
            assert sum(option.outcomes.values()) == pytest.approx(1)
            paid = sum(pays.get(code, 0) * chance for code, chance in option.outcomes.items())
            assert float(option.value) + 1 == pytest.approx(paid)


def test_a_value_grows_with_the_stake(store: MemoryStore) -> None:
    cards = (parse_cards("Jk 3h 9d 9c 2s"),)
    one, seven = (
        odds_of(JOKER).decision(JOKER.start(Setup("arcade-1", (stake,), cards)), store).best.value for stake in (1, 7)
    )
    assert seven == 7 * one


def test_to_double_or_to_collect_is_a_fair_bet_with_pushes_and_has_a_cost_without(store: MemoryStore) -> None:
    cards = [parse_cards("Ah Kh Qh Jh Th 2c 3c 4c 5c 6c"), parse_cards("2d 3d 4d 5d 6d"), parse_cards("9d Td Jd Qd Kd")]
    collect = Action.parse("collect")
    for table, is_fair in (("quest", True), ("quest-ties-win", False)):
        state = POKER.apply(POKER.start(Setup(table, (), cards)), Action.parse("hold-1-2-3-4-5"))
        decision = odds_of(POKER).decision(state, store)
        assert decision.fair is is_fair
        assert (decision.cost(collect) == 0) is is_fair
        picks = odds_of(POKER).decision(POKER.apply(state, Action.parse("double")), store)
        assert picks.fair and len(picks.options) == 4
        assert set(picks.best.outcomes) <= {"DOUBLE_WIN", "DOUBLE_TIE", "DOUBLE_LOSE"}


def test_a_finished_hand_is_worth_what_it_brought(store: MemoryStore) -> None:
    setup = Setup("arcade-1", (5,), (parse_cards("Ah Kh Qh Jh Th"),))
    state = JOKER.apply(JOKER.start(setup), Action.parse("stop"))
    assert odds_of(JOKER).value(state, ALONE, store) == 5 * 100 - 5


@pytest.mark.parametrize(
    "table, cards, thrown, exchanges, sentence",
    [
        ("kings-or-better", "Ah Ah Qh Jh 2c", "", None, "a card twice: Ah"),
        ("kings-or-better", "Ah Kh Qh Jh 2c 3c", "", None, "a hand has 5 cards, not 6"),
        ("kings-or-better", "Jk Jk Qh Jh 2c", "", None, "too many jokers: 2, the deck of this table has 1"),
        ("nowhere", "Ah Kh Qh Jh 2c", "", None, "no such table: 'nowhere'"),
        ("kings-or-better", "Ah Kh Qh Jh 2x", "", None, "not a card: '2x'"),
        ("kings-or-better", "Ah Kh Qh Jh 2c", "3c", None, "0 exchanges left"),
        ("arcade", "Ah Kh Qh Jh 2c", "Ah", None, "a card twice: Ah"),
        ("arcade", "Ah Kh Qh Jh 2c", "3c", 3, "3 exchanges left"),
        ("arcade", "Ah Kh Qh Jh 2c", "", 0, "0 exchanges left"),
    ],
)
def test_a_hand_that_cannot_be_is_refused_in_one_sentence(table: str, cards: str, thrown: str, exchanges: int | None, sentence: str) -> None:  # fmt: skip
    with pytest.raises(EngineError, match=sentence):
        spot(JOKER, table, cards, thrown, exchanges)


def test_a_deck_without_a_joker_has_none() -> None:
    with pytest.raises(EngineError, match="the deck of this table has none"):
        spot(POKER, "quest", "Jk Kh Qh Jh 2c")
