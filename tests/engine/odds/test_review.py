"""Reviews of random hands of every game: they add up to the chip, and are the same wherever they are computed."""

import json
from collections.abc import Callable
from random import Random

import pytest

from tests.contracts.playing import with_a_bank
from webapp.engine.action import Action, Seat
from webapp.engine.cards import JOKER, STANDARD_DECK
from webapp.engine.errors import SetupError
from webapp.engine.game import AnyGame, Setup
from webapp.engine.games import GAMES
from webapp.engine.notation import dumps, loads, record
from webapp.engine.odds import odds_of
from webapp.engine.odds.review import VERSION, Document, review
from webapp.engine.odds.value import Grade, MemoryStore

TABLES = [
    ("poker", "quest", ()),
    ("poker", "quest-ties-win", ()),
    ("joker", "kings-or-better", (10,)),
    ("blackjack", "european", (10, 10)),
    ("table21", "house", (10, 10, 10)),
]
Choose = Callable[[AnyGame, object, Random, MemoryStore], Action]


def any_choice(game: AnyGame, state: object, chance: Random, _store: MemoryStore) -> Action:
    return chance.choice(game.legal_actions(state))


def best_choice(game: AnyGame, state: object, _chance: Random, store: MemoryStore) -> Action:
    return odds_of(game).decision(state, store).best.action


def played(code: str, variant: str, bets: tuple[int, ...], chance: Random, choose: Choose, store: MemoryStore):
    """Return the record of a hand played to its end, which contains the dealt cards only, and its last state."""
    game = GAMES[code]
    rows = []
    for pack in game.packs(variant):
        cards = [*STANDARD_DECK * pack.decks, *(JOKER,) * pack.jokers]
        rows.append(tuple(chance.sample(cards, len(cards))))
    banker = Seat(1) if game.spec.banked else None
    setup = Setup(variant, with_a_bank(bets, banker) if banker else bets, tuple(rows), banker)
    state, moves = game.start(setup), []
    while game.legal_actions(state):
        moves.append(choose(game, state, chance, store))
        state = game.apply(state, moves[-1])
    return game, record(game, setup, tuple(moves)), state


def reviewed(game: AnyGame, found, store: MemoryStore) -> Document:
    return review(game, odds_of(game), found.setup, found.moves, store)


@pytest.mark.slow
@pytest.mark.parametrize("code, variant, bets", TABLES)
def test_every_review_adds_up_and_grades_what_it_prices(code, variant, bets, store: MemoryStore) -> None:
    chance = Random(20)
    for _ in range(3):
        game, found, last = played(code, variant, bets, chance, any_choice, store)
        told = reviewed(game, found, store)
        for book in (told, *told["seats"]):
            assert book["start"] + book["luck"] - book["cost"] == pytest.approx(book["payout"], abs=1e-6)
        if game.rules(variant).pays and not game.spec.banked:
            assert told["payout"] == sum(game.result(last).payouts) - sum(game.committed(last))
        for decision in told["decisions"]:
            assert decision["action"] == str(found.moves[decision["step"]])
            assert decision["best_value"] - decision["value"] == pytest.approx(decision["cost"], abs=1e-6)
            assert (decision["cost"] == 0) == (decision["grade"] in (None, Grade.BEST))
            assert (decision["grade"] is None) == decision["fair"]
            values = [option["value"] for option in decision["options"]]
            assert values == sorted(values, reverse=True)
            assert decision["action"] in {option["action"] for option in decision["options"]}


@pytest.mark.slow
@pytest.mark.parametrize("code, variant, bets", TABLES)
def test_a_review_is_the_same_wherever_it_is_worked_out(code, variant, bets, store: MemoryStore) -> None:
    """Computed from the cards of the whole pack, from the written notation, and with newly built tables."""
    game, found, _ = played(code, variant, bets, Random(21), any_choice, store)
    told = json.dumps(reviewed(game, found, store))
    line = loads(dumps(found))
    assert json.dumps(review(GAMES[line.game], odds_of(game), line.setup, line.moves, MemoryStore())) == told


@pytest.mark.parametrize("code, variant, bets", TABLES)
def test_best_play_by_the_odds_is_never_graded_below_best(code, variant, bets, store: MemoryStore) -> None:
    chance = Random(22)
    for _ in range(2):
        game, found, _ = played(code, variant, bets, chance, best_choice, store)
        told = reviewed(game, found, store)
        assert told["cost"] == 0
        assert {decision["grade"] for decision in told["decisions"]} <= {None, Grade.BEST}


def test_a_hand_that_is_not_over_has_no_review(store: MemoryStore) -> None:
    game = GAMES["poker"]
    setup = Setup("quest", (), (tuple(STANDARD_DECK),))
    with pytest.raises(SetupError, match="not over"):
        review(game, odds_of(game), setup, (), store)


METHODS = {"draw-1", "draw-removal-1", "blackjack-1", "blackjack-1-split", "table21-1", "table21-1-dealer"}


@pytest.mark.parametrize("code, variant, bets", TABLES)
def test_a_review_names_its_version_and_its_methods(code, variant, bets, store: MemoryStore) -> None:
    """If a method changes, its name and VERSION change, too, and stored reviews are computed again."""
    game, found, _ = played(code, variant, bets, Random(5), any_choice, store)
    version, *methods = reviewed(game, found, store)["method"].split("+")
    assert (VERSION, version) == ("1", "review-1")
    assert METHODS.issuperset(methods)
