"""Kinds of decisions: all that come have names that are known, so that others can be refused."""

from random import Random

import pytest

from webapp.engine.games import SOLO
from webapp.engine.odds import is_kind, kinds_of
from webapp.services.deals.drills import any_deal


@pytest.mark.parametrize("code", [code for code, game in SOLO.items() if game.spec.kinds])
def test_all_kinds_of_decisions_are_known_by_name(code: str) -> None:
    game, random = SOLO[code], Random(1)
    for number in range(300):
        for table in game.spec.variants:
            _, state = any_deal(game, table, f"law{number}")
            while legal := game.legal_actions(state):
                assert not [kind for kind in kinds_of(game, state) if not is_kind(game, kind)]
                state = game.apply(state, random.choice(legal))
