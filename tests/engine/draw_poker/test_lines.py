"""Several hands that are drawn from one hold, each from a pack of its own."""

from dataclasses import replace
from random import Random

import pytest

from webapp.engine.action import ALONE, Action
from webapp.engine.bets import MOST_OF_SEVERAL, Bets
from webapp.engine.cards import STANDARD_DECK, parse_cards
from webapp.engine.draw_poker.double_up import DoubleUp
from webapp.engine.draw_poker.rules import HOLDS, DrawRules
from webapp.engine.errors import StakesError
from webapp.engine.game import Setup, replay
from webapp.engine.games import GAMES
from webapp.engine.poker.pay_tables import PayTable
from webapp.engine.tier import Tier

VIDEO = GAMES["video"]
TABLE = "jacks-9-6"
COUNTS = (3, 5, 10)


def play(hold: str, *rows: str, table: str = TABLE, bet: int = 5):
    """Return the state after a hold. ``rows``: the pack of each hand."""
    setup = Setup(table, (bet,) * len(rows), tuple(map(parse_cards, rows)))
    return replay(VIDEO, setup, (Action.parse(hold),))


def shuffled(chance: Random, count: int):
    return tuple(tuple(chance.sample(STANDARD_DECK, 52)) for _ in range(count))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("table", VIDEO.spec.variants)
def test_each_hand_is_the_hold_and_the_next_cards_of_its_own_deck_of_47(table: str, count: int) -> None:
    chance = Random(f"{table} {count}")
    for _ in range(40):
        packs, hold = shuffled(chance, count), chance.choice(HOLDS)
        deal = packs[0][:5]
        state = VIDEO.apply(VIDEO.start(Setup(table, (7,) * count, packs)), hold)
        view = VIDEO.view(state, ALONE)
        assert len(view.lines) == count
        for line, pack in zip(view.lines, packs, strict=True):
            own = iter([card for card in pack if card not in deal])
            assert line.hand == tuple(deal[n - 1] if n in hold.args else next(own) for n in range(1, 6))
            assert len(set(line.hand)) == 5
            assert set(line.hand).isdisjoint({deal[n - 1] for n in range(1, 6) if n not in hold.args})
        payouts = VIDEO.result(state).payouts
        assert payouts == tuple(7 * state.rules.pay_table.pays(line.hand) for line in view.lines)
        assert sum(payouts) == state.score == view.score
        assert sum(VIDEO.committed(state)) == 7 * count


def test_what_is_passed_over_is_told() -> None:
    state = play("hold-1-2", "AhAd2c3c4c 9h9d9s", "Ad2c8h8d8s", "7h7d7sAh3c")
    lines = VIDEO.view(state, None).lines
    assert [line.passed for line in lines] == [(), parse_cards("Ad2c"), ()]
    assert VIDEO.dealt(state) == (8, 5, 3)


def test_where_all_cards_are_kept_no_further_pack_is_touched() -> None:
    state = play("hold-1-2-3-4-5", "ThJhQhKhAh", "", "")
    assert VIDEO.dealt(state) == (5,)
    assert VIDEO.result(state).payouts == (4000, 4000, 4000)


def test_the_hand_that_pays_most_gives_its_name() -> None:
    state = play("hold-1-2", "AhAd2c3c4c 9h9d8s", "AcAs8d", "Ac2d2h")
    assert [label.code for label in VIDEO.result(state).labels] == ["FOUR_OF_A_KIND"]
    assert VIDEO.summary_cards(state) == parse_cards("AhAdAcAs8d")
    assert [group.net for group in VIDEO.recap(state).groups] == [5, 120, 40]
    assert [label.code for label in state.said] == ["DREW", "FOUR_OF_A_KIND", "LINES_PAY"]


def test_of_hands_called_alike_the_one_that_pays_more_is_the_best() -> None:
    """Four aces with a low card pay more than four aces."""
    rows = ("AhAdAcKs4s As9h", "AsQh", "As2h")
    view = VIDEO.view(play("hold-1-2-3", *rows, table="double-double-9-6"), ALONE)
    assert [line.line for line in view.lines] == ["FOUR_ACES", "FOUR_ACES", "FOUR_ACES_LOW"]
    assert view.best == view.lines[2]


def test_less_than_was_staked_is_no_win_whatever_one_of_the_hands_pays() -> None:

    draw = "AhKh9h4h2s 7c"
    assert VIDEO.view(play("hold-1-2-3-4", draw, "8h", *("7d",) * 7, "7s"), ALONE).tier == Tier.EVEN, "6 for 10"
    assert VIDEO.view(play("hold-1-2-3-4", draw, "8h", "7d", "7s", "8c"), ALONE).tier == Tier.GOOD, "6 for 5"
    assert VIDEO.view(play("hold-1-2-3-4", "AhAdKcKd4s Ac", "9h", "9s"), ALONE).tier == Tier.GREAT


def test_as_many_hands_as_the_table_has_are_drawn_and_each_costs_the_same() -> None:
    packs = shuffled(Random(1), 10)
    for stakes in ((5, 5), (5,) * 4, (5,) * 11, (5, 5, 6), (0,) * 3, (MOST_OF_SEVERAL + 1,) * 3):
        with pytest.raises(StakesError):
            VIDEO.start(Setup(TABLE, stakes, packs))
    for stakes in ((MOST_OF_SEVERAL + 1,), (MOST_OF_SEVERAL,) * 10, (1,) * 5):
        assert sum(VIDEO.committed(VIDEO.start(Setup(TABLE, stakes, packs)))) == sum(stakes)
    with pytest.raises(StakesError):
        GAMES["joker"].start(Setup("kings-or-better", (5,) * 3, packs))


def test_a_purse_pays_the_same_bet_for_each_hand() -> None:
    bets = Bets(least=2, lines=(1, 3, 10))
    assert [bets.most_for(25, lines) for lines in bets.lines] == [25, 8, 2]
    assert [bets.most_for(19, lines) for lines in bets.lines] == [19, 6, 0]
    assert replace(bets, most=5).most_for(25, 3) == 5
    assert bets.most_for(10**12, 10) == MOST_OF_SEVERAL


@pytest.mark.parametrize("more", [{"exchanges": 2}, {"double_up": DoubleUp()}])
def test_several_hands_need_one_exchange_and_no_double_up(more) -> None:
    pay_table: PayTable = VIDEO.rules(TABLE).pay_table
    with pytest.raises(ValueError, match="one exchange and no double-up"):
        DrawRules(pay_table, bets=Bets(lines=(1, 3)), **more)
