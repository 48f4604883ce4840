"""The laws of all games, over blackjack at more tables and with more boxes than they ask for by themselves.

Three of them are said here in blackjack's own way. A peek tells something about the hole card without showing it, so
hidden cards may only change places as far as they would have told the same. A hand can be over with the deal, and a
shoe has the same card many times: what was changed in a line must then be another line, and can be a true one.
"""

from random import Random
from types import MappingProxyType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contracts import test_laws
from tests.contracts.playing import cards_in, finished, playouts, replayed, with_hidden_cards_shuffled
from tests.engine.banking import seen
from webapp.engine import notation
from webapp.engine.errors import NotationError, SetupError
from webapp.engine.families.bank import BankGame
from webapp.engine.families.bank_rules import PRESETS
from webapp.engine.game import replay
from webapp.engine.games import GAMES
from webapp.engine.twenty_one import is_natural, value


class Boxes(BankGame):
    """Blackjack with so many boxes and no other number."""

    def __init__(self, boxes):
        super().__init__("blackjack", PRESETS)
        self.boxes = boxes

    def start(self, setup):
        if self.rules(setup.variant).bets and len(setup.stakes) != self.boxes:
            raise SetupError(f"stakes do not fit this table: {setup.stakes}")
        return super().start(setup)


WILD = "vegas,split_by=rank,resplit_aces=true,hit_split_aces=true,surrender=late,auto_stand_21=false"
TABLES = [(3, "vegas"), (2, "single,penetration=0.9,surrender=late"), (2, "european,lose=original")]
MORE_TABLES = [
    *[
        (boxes, preset)
        for preset in PRESETS
        for boxes in (1, 2, 3)
        if preset != "classic" and (boxes, preset) != TABLES[0]
    ],
    (2, WILD),
    (1, "classic"),
    (2, "european,surrender=late"),
    (1, "classic,hole_card=no_peek,double_on=any,split_by=value"),
]
every_table = pytest.mark.parametrize(
    "boxes, variant",
    [*TABLES, *[pytest.param(*table, marks=pytest.mark.soak) for table in MORE_TABLES]],
    ids=[f"{boxes}-{variant}" for boxes, variant in (*TABLES, *MORE_TABLES)],
)
few = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

SAID_HERE = {
    "test_a_view_does_not_change_when_the_cards_nobody_has_been_shown_are_shuffled",
    "test_a_line_that_was_tampered_with_is_refused",
    "test_a_hand_with_a_card_more_often_than_its_pack_holds_it_is_not_believed",
}
LAWS = {
    name: law
    for name, law in vars(test_laws).items()
    if name.startswith("test_")
    and name not in SAID_HERE
    and any(mark.args[0] == "table" for mark in getattr(law, "pytestmark", ()))
}


@pytest.fixture
def game(boxes, monkeypatch):
    """Blackjack as the test plays it, so that its hands can be read back from their lines."""
    game = Boxes(boxes)
    monkeypatch.setattr(notation, "GAMES", MappingProxyType({**GAMES, "blackjack": game}))
    return game


def test_the_laws_are_found():
    assert len(LAWS) > 15
    assert vars(test_laws).keys() >= SAID_HERE


@every_table
@pytest.mark.parametrize("law", LAWS.values(), ids=[name.removeprefix("test_") for name in LAWS])
def test_a_law_of_all_games_holds(law, game, boxes, variant):
    law(table=(game, variant))


# ------------------------------------------------------------------------------------------ the hole card


def what_a_peek_tells(state):
    """None where there is no peek, or none yet; else whether the dealer has a natural."""
    rules = state.rules
    if rules.hole_card == "no_peek" or not rules.naturals or value(state.dealer[0]) not in (1, 10):
        return None
    return None if state.phase == "insurance" else is_natural(state.dealer[:2])


@every_table
@few
@given(draw=st.data())
def test_the_hole_card_is_in_nobodys_view_before_the_end(boxes, variant, draw):
    playout = draw.draw(playouts(Boxes(boxes), variant))
    for state in playout.states:
        if state.phase == "over":
            continue
        hole = {id(card) for card in state.dealer[1:]}
        for view in playout.views(state):
            assert view.dealer == (state.dealer[0], *[None] * len(hole))
            assert not cards_in(view).keys() & hole
            assert len(hole) == (state.rules.hole_card == "peek")


@every_table
@few
@given(draw=st.data(), seed=st.integers(0, 2**32))
def test_a_view_does_not_change_when_hidden_cards_change_places_and_a_peek_tells_the_same(boxes, variant, draw, seed):
    playout = draw.draw(playouts(Boxes(boxes), variant))
    for viewer in playout.viewers:
        views = [playout.game.view(state, viewer) for state in playout.states]
        shown: set[int] = set()
        for ply, view in enumerate(views):
            shown |= cards_in(view).keys()
            other = with_hidden_cards_shuffled(playout, shown, Random(seed + ply))
            start = playout.game.start(other)
            told = what_a_peek_tells(playout.states[ply])
            if told is not None and told != is_natural(start.dealer[:2]):
                continue
            again = replayed(playout, other, ply)
            assert [playout.game.view(state, viewer) for state in again] == views[: ply + 1]


@pytest.mark.parametrize("hole", ["2s", "5s", "9s", "Ts", "Ks", "As"])
def test_whatever_the_hole_card_is_the_question_of_insurance_looks_the_same(hole):
    assert seen(f"Th Ac 8d {hole}") == seen("Th Ac 8d 2d")


# ------------------------------------------------------------------------------------------ lines


@every_table
@few
@given(draw=st.data())
def test_a_line_that_was_tampered_with_is_refused(game, boxes, variant, draw):
    playout = draw.draw(finished(game, variant))
    line = notation.dumps(notation.record(game, playout.setup, playout.moves))
    assert notation.dumps(notation.loads(line)) == line
    others = test_laws.tampered(line, "blackjack")
    if game.rules(variant).decks > 1:
        del others["the first card twice"]
    for what, other in others.items():
        try:
            notation.loads(other)
        except NotationError:
            continue
        assert other == line, f"{what}: {other!r} was believed, the hand was {line!r}"


@every_table
def test_a_hand_with_a_card_more_often_than_its_shoe_holds_it_is_not_believed(game, boxes, variant):
    decks = game.rules(variant).decks
    cards = "9h" * (decks + 1) + "8h7h6h5h4h3h2h"
    stakes = ",".join(["10"] * boxes) if game.rules(variant).bets else "-"
    with pytest.raises(NotationError, match="too many of one card: 9h"):
        notation.loads(f"blackjack/{variant} {stakes} {cards} - *")


@pytest.mark.parametrize("boxes", [1])
def test_a_round_whose_shoe_ran_out_is_read_back_from_its_line(game, boxes):
    cards = "2h6c2d5s" + "AcAcAsAsAdAdAhAh2c2s"
    table = "vegas,decks=2,penetration=0.9,auto_stand_21=false"
    line = f"blackjack/{table} 10 {cards} {','.join(['hit'] * 10)} 20"
    record = notation.loads(line)
    assert notation.dumps(record) == line
    assert replay(game, record.setup, record.moves).ran_out
