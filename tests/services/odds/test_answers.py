"""Odds of a decision of a finished hand."""

import pytest

from webapp.engine.notation import loads
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
