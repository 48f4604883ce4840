"""The house edge of tables, against published figures."""

from dataclasses import replace
from functools import cache

import pytest

from webapp.engine.games.blackjack.rules import PRESETS, BlackjackRules
from webapp.engine.odds.blackjack.edge import edge, rule_prices

try:
    from webapp.engine.odds.blackjack.dealer_compiled import evaluate_compiled as evaluate
except ImportError:  # without Numba
    from webapp.engine.odds.blackjack.dealer_outcomes import evaluate_plainly as evaluate

EUROPEAN = {"hole_card": "no_peek", "lose": "all"}
HIT, STAND = {"soft_17": "hit"}, {"soft_17": "stand"}

# Wizard of Odds, Blackjack Appendix 9, "Expected return of game", with doubling after a split and without it. Up to four
# hands, but two of aces, which get one card each; any two cards may be doubled; no surrender.
APPENDIX_9 = [
    ({"decks": 1, **STAND}, 0.1839, 0.0423),
    ({"decks": 1, **HIT}, -0.0072, -0.1513),
    ({"decks": 2, **HIT}, -0.3797, -0.5252),
    ({"decks": 5, **HIT}, -0.5918, -0.7366),
    ({"decks": 6, **HIT, **EUROPEAN}, -0.72705, -0.86975),
    ({"decks": 8, **HIT, **EUROPEAN}, -0.7562, -0.89865),
]
# blackjackinfo.com, "Online Blackjack Rule Differences": the rules with which the article begins, for a player who counts
# the cards of the hand.
BLACKJACKINFO = {"decks": 1, "resplit_aces": True, "hit_split_aces": True, "surrender": "late"}

PUBLISHED = [
    *(({**rules, "double_after_split": True}, after) for rules, after, _ in APPENDIX_9),
    *(({**rules, "double_after_split": False}, never) for rules, _, never in APPENDIX_9),
    (BLACKJACKINFO, 0.37292),
]


@cache
def percent(rules: BlackjackRules) -> float:
    return 100 * edge(rules, evaluate=evaluate)


@pytest.mark.slow
@pytest.mark.parametrize("changes, published", PUBLISHED)
def test_the_edge_is_the_published_one(changes, published) -> None:
    assert percent(BlackjackRules(**changes)) == pytest.approx(published, abs=0.005)


def test_the_edge_of_one_deck_is_the_published_one() -> None:
    assert percent(BlackjackRules(decks=1)) == pytest.approx(0.1839, abs=0.005)


@pytest.mark.slow
def test_what_a_natural_pays_has_its_price() -> None:
    """4.528 % of hands from six decks win with a natural; 6:5 pays three tenths of a bet less for each."""
    shoe, natural = 312, 2 * 24 * 96 / (312 * 311)
    # a natural pushes against another: an ace and a ten among the 310 cards left
    won = natural * (1 - 2 * 23 * 95 / (310 * 309))
    assert shoe == 52 * BlackjackRules().decks
    price = rule_prices(BlackjackRules(blackjack_pays="6:5"), evaluate)
    assert price == {"blackjack_pays": pytest.approx(-0.3 * won)}


def test_the_usual_rules_have_no_price() -> None:
    assert rule_prices(BlackjackRules(penetration=0.5, auto_stand_21=False), evaluate) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes, sign",
    [
        ({"soft_17": "hit"}, -1),
        ({"decks": 1}, +1),
        ({"decks": 8}, -1),
        ({"hole_card": "no_peek", "lose": "all"}, -1),
        ({"double_on": "9-11"}, -1),
        ({"double_after_split": False}, -1),
        ({"split_by": "none"}, -1),
        ({"max_hands": 2}, -1),
        ({"resplit_aces": True}, +1),
        ({"hit_split_aces": True}, +1),
        ({"surrender": "late"}, +1),
    ],
)
def test_each_rule_gives_or_costs_what_players_say(changes, sign) -> None:
    assert sign * (percent(BlackjackRules(**changes)) - percent(BlackjackRules())) > 0


@pytest.mark.slow
def test_a_lost_natural_that_takes_the_first_bet_only_costs_nothing() -> None:
    """Except for hands that were bust before anybody knew of it and would not have been drawn to."""
    looked, unlooked = BlackjackRules(), BlackjackRules(hole_card="no_peek", lose="original")
    assert 0 <= percent(looked) - percent(unlooked) < 0.005


def test_half_of_an_odd_bet_is_rounded_as_at_the_table() -> None:
    rules = replace(PRESETS["classic"], naturals=True, blackjack_pays="3:2", hole_card="peek")
    exact, rounded = edge(rules, evaluate=evaluate), edge(rules, bet=1, evaluate=evaluate)
    won = 2 * 4 * 16 / (52 * 51) * (1 - 2 * 3 * 15 / (50 * 49))
    assert exact - rounded == pytest.approx(0.5 * won)
