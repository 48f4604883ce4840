"""Pay tables of one's own: one word each, with one spelling, within bounds."""

import pytest

from webapp.engine.cards import parse_cards
from webapp.engine.errors import SetupError
from webapp.engine.games.video import GAME


def test_an_own_table_pays_what_its_word_says() -> None:
    pay_table = GAME.rules("jacks,full_house=8,flush=5").pay_table
    assert pay_table.pays(parse_cards("9c 9d 9h 4s 4c")) == 8
    assert pay_table.pays(parse_cards("2c 6c 7c 9c Kc")) == 5
    assert pay_table.pays(parse_cards("5c 6d 7h 8s 9c")) == 4


def test_the_form_leads_to_the_word_of_a_table_or_to_the_named_one_that_is_the_same() -> None:
    assert GAME.variant_from_choices({"family": "jacks", "full_house": "8"}) == "jacks,full_house=8"
    assert GAME.variant_from_choices({"flush": "5", "full_house": "8", "family": "jacks"}) == "jacks-8-5"
    assert GAME.variant_from_choices({"family": "bonus"}) == "bonus-8-5"
    assert GAME.variant_from_choices({}) == "jacks-9-6"
    assert GAME.variant_from_choices({"family": "deuces", "four_deuces": "400"}) == "deuces,four_deuces=400"


@pytest.mark.parametrize(
    "word",
    [
        "jacks",
        "jacks,",
        "jacks,flush=6",
        "jacks,flush=5,full_house=8",
        "jacks,flush=5,flush=7",
        "jacks,flush=1000",
        "jacks,flush=0",
        "jacks,flush=-5",
        "jacks,flush=05",
        "jacks,flush",
        "jacks,wild_royal=20",
        "jacks,family=bonus",
        "bridge,flush=5",
        "jacks-9-6,flush=5",
    ],
)
def test_any_other_spelling_is_refused(word: str) -> None:
    with pytest.raises(SetupError):
        GAME.rules(word)


def test_every_table_that_is_published_lies_within_the_bounds() -> None:
    for table in GAME.spec.variants:
        for line in GAME.rules(table).pay_table.lines:
            assert line.pays in GAME.choices()[line.code.lower()]


def test_gold_at_an_own_table_is_only_what_pays_most() -> None:
    from tests.support.draw_poker_hands import deal, seen

    def sure(table: str, hand: str) -> tuple[int, ...]:
        return seen(deal(hand, table=table, stakes=(1,)), game=GAME).sure_hold(GAME.rules(table))

    assert sure("jacks-9-6", "9c 9d 9h 4s 4c") == (1, 2, 3, 4, 5)
    assert sure("jacks,full_house=2", "9c 9d 9h 4s 4c") == ()
    assert sure("jacks,full_house=2", "Tc Jc Qc Kc Ac") == (1, 2, 3, 4, 5)
