"""Odds of a decision of a finished hand."""

from random import Random

import pytest

from tests.support import table21_rounds
from webapp.engine.action import Action
from webapp.engine.notation import dumps, loads, record
from webapp.engine.odds.value import MemoryStore
from webapp.services.odds.answers import answer

STORE = MemoryStore()


@pytest.mark.parametrize(
    "line",
    [
        "blackjack/vegas,surrender=late 25,10 8h3dTc8d7sTs5s3h9c split,stand,stand,double 0,0",
        "blackjack/vegas 25,10 Th9hAs6cAd9d2c insure,decline,hit,stand *",
        "blackjack/european 25 8hAc8d5s8c3h4c9s decline,split,hit,double 50",
    ],
    ids=["two boxes", "insured", "split"],
)
def test_a_decision_of_a_finished_hand_is_worth_what_its_own_box_wins(line: str) -> None:
    """Values are in bets of the box, without other boxes and without an insurance taken before.

    So they equal those of the same cards at the odds desk, which the page links to.
    """
    for step, move in enumerate(loads(line).moves):
        stood = answer({"about": "step", "line": line, "step": str(step)}, STORE)
        question = {"table" if name == "variant" else name: text for name, text in stood["question"].items()}
        laid = answer({"about": "spot", "game": "blackjack", **question}, STORE)
        assert stood["action"] == str(move)
        assert stood["options"] == laid["options"]
        assert (stood["best"], stood["unit"], stood["exact"]) == (laid["best"], "bets", laid["exact"])


@pytest.mark.parametrize("seed", range(6))
def test_every_choice_of_a_finished_round_is_priced_for_whichever_seat_made_it(seed: int) -> None:
    """The question about a choice counts its player from 0, the round counts places: both mean the same move."""
    line = random_line(Random(seed))
    reviewed = answer({"about": "review", "line": line}, STORE)
    assert any(decision["seat"] for decision in reviewed["decisions"]), "more than the first place has decided"
    for decision in reviewed["decisions"]:
        priced = answer({"about": "step", "line": line, "step": str(decision["step"])}, STORE)
        assert "error" not in priced, priced
        verbs = {option["action"].partition("@")[0] for option in priced["options"]}
        assert verbs == {option["action"].partition("@")[0] for option in decision["options"]}
        assert priced["action"] in {option["action"] for option in priced["options"]}
        assert Action.parse(priced["action"]).verb == Action.parse(decision["action"]).verb
        assert priced["cost"] * unit_of(line, decision["seat"], priced["unit"]) == pytest.approx(decision["cost"])


def random_line(chance: Random) -> str:
    """Return a random round of Table 21 in one line."""
    players = chance.randint(2, 4)
    bets = tuple(chance.choice((10, 25, 60)) for _ in range(players))
    setup = table21_rounds.setup_of(bets, chance.randint(0, players), (table21_rounds.any_deck(chance),))
    state, moves = table21_rounds.TABLE.start(setup), list[Action]()
    while legal := table21_rounds.TABLE.legal_actions(state):
        moves.append(chance.choice(legal))
        state = table21_rounds.TABLE.apply(state, moves[-1])
    return dumps(record(table21_rounds.TABLE, setup, tuple(moves)))


def unit_of(line: str, seat: int, unit: str) -> int:
    """Return the chips that a unit of an answer stands for."""
    return loads(line).setup.stakes[seat] if unit == "bets" else 1
