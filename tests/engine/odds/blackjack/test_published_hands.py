"""Two cards against an ace, against figures that others have published: where the dealer's second card matters most."""

import pytest

from tests.engine.odds.blackjack.test_hand_values import full, without, worth
from webapp.engine.games.blackjack.rules import BlackjackRules

STAND, HIT = {"soft_17": "stand"}, {"soft_17": "hit"}
EUROPEAN = {"hole_card": "no_peek", "lose": "all"}
HANDS = [(2, 1), (3, 2), (4, 3), (5, 4), (6, 1), (6, 4), (6, 5), (7, 1)]

# Wizard of Odds, Blackjack Appendix 9: standing, hitting and doubling with each of HANDS against an ace, as a page of each
# table lists them. With a hole card the dealer is known to have no blackjack.
APPENDIX_9 = [
    (
        {"decks": 1, **STAND},
        [
            (-0.661732, -0.067808, -0.593281),
            (-0.659375, -0.291565, -1.318751),
            (-0.657967, -0.345048, -1.126423),
            (-0.654533, -0.070215, -0.395771),
            (-0.482815, -0.199899, -0.527213),
            (-0.636118, 0.081506, 0.048615),
            (-0.634013, 0.172946, 0.240259),
            (-0.101015, -0.108386, -0.357778),
        ],
    ),
    (
        {"decks": 1, **HIT},
        [
            (-0.589084, -0.107929, -0.552040),
            (-0.584988, -0.322592, -1.169976),
            (-0.582464, -0.375417, -1.067304),
            (-0.581270, -0.121173, -0.419143),
            (-0.507702, -0.229134, -0.529713),
            (-0.575556, 0.045103, 0.030867),
            (-0.575374, 0.143003, 0.234296),
            (-0.223909, -0.173175, -0.414678),
        ],
    ),
    (
        {"decks": 2, **HIT},
        [
            (-0.594150, -0.103429, -0.571816),
            (-0.592126, -0.320313, -1.184253),
            (-0.590338, -0.362212, -1.077576),
            (-0.589636, -0.124218, -0.438228),
            (-0.511565, -0.224617, -0.541393),
            (-0.587412, 0.038312, -0.003909),
            (-0.587564, 0.121079, 0.166650),
            (-0.224703, -0.165428, -0.416886),
        ],
    ),
    (
        {"decks": 5, **HIT},
        [
            (-0.596923, -0.100728, -0.583036),
            (-0.596108, -0.318051, -1.192217),
            (-0.595297, -0.354238, -1.084254),
            (-0.594999, -0.124184, -0.450266),
            (-0.513982, -0.221727, -0.547853),
            (-0.594238, 0.034973, -0.023611),
            (-0.594346, 0.109880, 0.128187),
            (-0.225295, -0.160941, -0.417747),
        ],
    ),
    (
        {"decks": 6, **HIT, **EUROPEAN},
        [
            (-0.722356, -0.379910, -1.024099),
            (-0.721887, -0.529734, -1.443774),
            (-0.721415, -0.554273, -1.369282),
            (-0.721243, -0.396287, -0.932671),
            (-0.665166, -0.463296, -0.999484),
            (-0.720814, -0.286818, -0.639108),
            (-0.720879, -0.235772, -0.535879),
            (-0.466029, -0.421285, -0.909374),
        ],
    ),
    (
        {"decks": 8, **HIT, **EUROPEAN},
        [
            (-0.722307, -0.378980, -1.024082),
            (-0.721955, -0.528987, -1.443909),
            (-0.721595, -0.553054, -1.369253),
            (-0.721465, -0.395636, -0.932679),
            (-0.665036, -0.462428, -0.998987),
            (-0.721150, -0.286345, -0.639456),
            (-0.721201, -0.235977, -0.537869),
            (-0.465508, -0.420237, -0.908247),
        ],
    ),
]


@pytest.mark.parametrize("changes, published", APPENDIX_9)
def test_two_cards_against_an_ace_are_worth_what_was_published(changes, published) -> None:
    rules = BlackjackRules(**changes)
    for hand, expected in zip(HANDS, published, strict=True):
        found = worth(rules, hand, 1, without(full(rules.decks), 1, *hand))
        assert found == pytest.approx(expected, abs=1e-6), hand
