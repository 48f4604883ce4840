"""Laws of blackjack beyond those of all games: about its hole card, and about a shoe that runs out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contracts.playing import OWN_TABLES, cards_in, playouts
from tests.contracts.test_laws import thoroughly
from tests.support.blackjack_rounds import BLACKJACK, seen
from webapp.engine import notation
from webapp.engine.game import replay
from webapp.engine.games.blackjack.rules import PRESETS

every_table = pytest.mark.parametrize("variant", [*PRESETS, *(variant for _, variant in OWN_TABLES)])


@every_table
@thoroughly
@given(draw=st.data())
def test_the_hole_card_is_in_nobodys_view_before_the_end(variant, draw):
    playout = draw.draw(playouts(BLACKJACK, variant))
    for state in playout.states:
        if state.phase == "over":
            continue
        hole = {id(card) for card in state.dealer[1:]}
        for view in playout.views(state):
            assert view.dealer == (state.dealer[0], *[None] * len(hole))
            assert not cards_in(view).keys() & hole
            assert len(hole) == (state.rules.hole_card == "peek")


@pytest.mark.parametrize("hole", ["2s", "5s", "9s", "Ts", "Ks", "As"])
def test_whatever_the_hole_card_is_the_question_of_insurance_looks_the_same(hole):
    assert seen(f"Th Ac 8d {hole}") == seen("Th Ac 8d 2d")


def test_a_round_whose_shoe_ran_out_is_read_back_from_its_line():
    cards = "2h6c2d5s" + "AcAcAsAsAdAdAhAh2c2s"
    table = "vegas,decks=2,penetration=0.9,auto_stand_21=false"
    line = f"blackjack/{table} 10 {cards} {','.join(['hit'] * 10)} 20"
    record = notation.loads(line)
    assert notation.dumps(record) == line
    assert replay(BLACKJACK, record.setup, record.moves).ran_out
