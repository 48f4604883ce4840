"""Draw poker, with tests for each sentence of its rules: deal, exchange, score."""

from dataclasses import replace
from itertools import combinations

import pytest

from tests.support.draw_poker_hands import KEEP_ALL, NOTHING, ONE_PAIR, POKER, ROYAL, deal, play, seen
from webapp.engine.action import ALONE, Action, Seat
from webapp.engine.bets import Bets
from webapp.engine.cards import JOKER, Rank, format_cards, parse_cards
from webapp.engine.draw_poker.double_up import DoubleUp
from webapp.engine.draw_poker.game import DrawGame
from webapp.engine.draw_poker.rules import DrawRules
from webapp.engine.draw_poker.view import DrawView
from webapp.engine.errors import IllegalAction, SetupError
from webapp.engine.game import Pack, Result, Setup
from webapp.engine.label import Label
from webapp.engine.poker.pay_tables import QUEST, Line, PayTable
from webapp.engine.poker.ranking import Category

TEN = f"{NOTHING} 3h 5h 7h 9h Jh"

# The machinery has to hold for other tables than those of today: here three exchanges, a joker, bets.
ARCADE = DrawGame(
    "arcade",
    {
        "plain": DrawRules(
            pay_table=PayTable("test", (Line.of(Category.JOKER, 2), Line.of(Category.ONE_PAIR, 1))),
            exchanges=3,
            jokers=1,
            may_stop=True,
            bets=Bets(),
        )
    },
)

# ------------------------------------------------------------------------------------------ the table


def test_quest_is_played_with_52_cards_and_no_stake():
    packs = POKER.packs("quest")
    assert packs[0] == Pack(decks=1, jokers=0, needed=10)
    assert set(packs[1:]) == {Pack(decks=1, jokers=0, needed=5)}
    assert len(packs) == 1 + 20
    assert POKER.spec.seats == 1
    assert POKER.spec.default == "quest"
    assert POKER.committed(play(deal(NOTHING))) == (0,)


def test_the_scores_are_those_of_the_rules():
    assert [(line.code, line.pays) for line in QUEST.lines] == [
        ("ROYAL_FLUSH", 10_000),
        ("STRAIGHT_FLUSH", 2_000),
        ("FOUR_OF_A_KIND", 1_000),
        ("FULL_HOUSE", 500),
        ("FLUSH", 400),
        ("STRAIGHT", 300),
        ("THREE_OF_A_KIND", 200),
        ("TWO_PAIR", 100),
        ("ONE_PAIR", 50),
    ]
    assert QUEST.pays(parse_cards("2c 4d 6h 8s Tc")) == 0


def test_a_table_that_does_not_exist_is_refused_by_name():
    for ask in (POKER.rules, POKER.packs, lambda table: play(deal(NOTHING, table=table))):
        with pytest.raises(SetupError, match="no such table: 'roulette'"):
            ask("roulette")


def test_a_stake_at_a_table_without_stakes_is_refused():
    with pytest.raises(SetupError, match=r"stakes do not fit this table: \(5,\)"):
        play(deal(NOTHING, stakes=(5,)))


@pytest.mark.parametrize("hand", ["", "2c 4d 6h 8s"])
def test_fewer_than_five_cards_are_refused(hand):
    with pytest.raises(SetupError, match=f"5 cards wanted, {len(parse_cards(hand))} left"):
        play(deal(hand))


def test_a_setup_without_packs_is_refused():
    with pytest.raises(SetupError, match="pack 0 is wanted, there are 0"):
        play(Setup("quest", (), ()))


def test_an_exchange_the_pack_cannot_give_is_refused():
    with pytest.raises(SetupError, match="5 cards wanted, 4 left"):
        play(deal(f"{NOTHING} 3h 5h 7h 9h"), "hold")


# ------------------------------------------------------------------------------------------ the deal


def test_five_cards_are_dealt_face_up():
    view = seen(deal(TEN))
    assert format_cards(view.hand) == NOTHING
    assert view.fresh == (1, 2, 3, 4, 5)
    assert view.held == ()
    assert (view.phase, view.exchanges_left, view.score, view.rounds) == ("exchange", 1, 0, ())


def test_a_hand_that_is_already_made_is_announced_at_once():
    view = seen(deal(ONE_PAIR))
    assert view.made == Label.of("ONE_PAIR", high=Rank.NINE)
    assert (view.category, view.worth) == ("ONE_PAIR", 50)
    assert view.said == (Label.of("DEALT", cards=parse_cards(ONE_PAIR)), view.made)
    assert view.score == 0, "nothing can be collected before the exchange"


# ------------------------------------------------------------------------------------------ the exchange


def test_every_choice_of_cards_may_be_held():
    choices = [action.args for action in POKER.legal_actions(play(deal(TEN)))]
    assert sorted(choices) == sorted(kept for n in range(6) for kept in combinations((1, 2, 3, 4, 5), n))
    assert len(choices) == 32


def test_holding_all_five_is_legal_and_changes_nothing():
    view = seen(deal(NOTHING), KEEP_ALL)
    assert format_cards(view.hand) == NOTHING
    assert (view.held, view.fresh) == ((1, 2, 3, 4, 5), ())
    assert view.said == (Label("KEPT_ALL"), Label.of("NOTHING", high=Rank.TEN))


def test_holding_none_is_legal_and_exchanges_all():
    view = seen(deal(TEN), "hold")
    assert format_cards(view.hand) == "3h 5h 7h 9h Jh"
    assert (view.held, view.fresh) == ((), (1, 2, 3, 4, 5))


def test_every_card_that_is_not_held_is_exchanged_in_slot_order():
    view = seen(deal(TEN), "hold-2-4")
    assert format_cards(view.hand) == "3h 4d 5h 8s 7h"
    assert (view.held, view.fresh) == ((2, 4), (1, 3, 5))
    assert view.said[0] == Label.of("DREW", cards=parse_cards("3h 5h 7h"))


@pytest.mark.parametrize("hold", POKER.legal_actions(play(deal(TEN))), ids=str)
def test_a_held_card_keeps_its_slot_and_the_others_come_from_the_stock_in_order(hold):
    dealt = parse_cards(TEN)
    hand = play(deal(TEN), str(hold)).hand
    replacements = [hand[slot - 1] for slot in range(1, 6) if slot not in hold.args]
    assert [hand[slot - 1] for slot in hold.args] == [dealt[slot - 1] for slot in hold.args]
    assert replacements == list(dealt[5 : 5 + len(replacements)])


@pytest.mark.parametrize("hold", ["hold", "hold-1", "hold-3-4", "hold-1-2-3-4"])
def test_discards_never_return(hold):
    before = play(deal(TEN))
    after = play(deal(TEN), hold)
    kept = {before.hand[slot - 1] for slot in after.held}
    assert not (set(after.hand) | set(after.stock.cards[after.stock.taken :])) & (set(before.hand) - kept)


def test_cards_are_exchanged_once_only():
    after = play(deal(f"{ONE_PAIR} 3h 5h 7h 9h Jh"), "hold-1-2")
    assert {action.verb for action in POKER.legal_actions(after)} == {"double", "collect"}
    with pytest.raises(IllegalAction, match="^hold-1 is not legal now$"):
        POKER.apply(after, Action.parse("hold-1"))


@pytest.mark.parametrize(
    "word", ["hold-0", "hold-6", "hold-1-6", "pick-1", "double", "collect", "stop", "hit", "hold@1"]
)
def test_a_refused_action_says_so_and_changes_nothing(word):
    state = play(deal(TEN))
    copy = play(deal(TEN))
    with pytest.raises(IllegalAction, match=f"^{word} is not legal now$") as refused:
        POKER.apply(state, Action.parse(word))
    assert refused.value.code == "illegal-action"
    assert state == copy


# ------------------------------------------------------------------------------------------ the score


@pytest.mark.parametrize(
    "hand, score",
    [
        ("2c 2d 4h 6s 8c", 50),
        ("2c 2d 4h 4s 8c", 100),
        ("2c 2d 2h 6s 8c", 200),
        ("Ac 2d 3h 4s 5c", 300),
        ("Tc Jd Qh Ks Ac", 300),
        ("2c 4c 6c 8c Tc", 400),
        ("2c 2d 2h 8s 8c", 500),
        ("2c 2d 2h 2s 8c", 1_000),
        ("Ac 2c 3c 4c 5c", 2_000),
        (ROYAL, 10_000),
    ],
)
def test_a_made_hand_scores_by_the_pay_table_and_the_double_up_is_offered(hand, score):
    view = seen(deal(hand), KEEP_ALL)
    assert (view.phase, view.worth, view.score) == ("ask", score, score)
    assert tuple(map(str, view.actions)) == ("double", "collect")
    assert view.result is None


@pytest.mark.parametrize("hand", [NOTHING, "Jc Qd Kh As 2c", "Ac Kd Qh Js 9c"])
def test_no_hand_ends_the_game_with_0(hand):
    view = seen(deal(hand), KEEP_ALL)
    assert (view.phase, view.actions, view.to_act) == ("over", (), None)
    assert view.result is not None
    assert view.result.payouts == (0,)
    assert [label.code for label in view.result.labels] == ["NOTHING"]


def test_the_hand_after_the_exchange_counts_and_not_the_one_before():
    assert seen(deal(f"{ONE_PAIR} 3h 5h 7h 9h Jh"), "hold").category == "FLUSH"
    assert seen(deal(f"{ONE_PAIR} 3h 5h 7h 9h Js"), "hold").score == 0


def test_what_is_collected_is_the_payout():
    view = seen(deal(ONE_PAIR), KEEP_ALL, "collect")
    assert view.result == Result((50,), (Label.of("ONE_PAIR", high=Rank.NINE),))
    assert view.said == (Label.of("COLLECTED", score=50),)
    assert (view.actions, view.to_act, view.phase) == ((), None, "over")


# ------------------------------------------------------------------------------------------ who sees what


def test_a_watcher_sees_the_hand_and_may_do_nothing():
    state = play(deal(TEN))
    watching, playing = POKER.view(state, None), POKER.view(state, ALONE)
    assert isinstance(watching, DrawView)
    assert watching.hand == state.hand
    assert replace(watching, viewer=ALONE, actions=playing.actions) == playing
    assert (watching.viewer, watching.actions, watching.to_act) == (None, (), ALONE)
    assert POKER.view(state, Seat(1)).actions == ()


def test_the_absent_keep_their_cards_and_collect():
    state = play(deal(ONE_PAIR))
    assert str(POKER.default_action(state, ALONE)) == KEEP_ALL
    assert str(POKER.default_action(play(deal(ONE_PAIR), KEEP_ALL), ALONE)) == "collect"


# ------------------------------------------------------------------------------------------ other tables


def test_several_exchanges_follow_one_another():
    setup = deal("2c 4d 6h 8s Tc 3h 5h 7h 9h Jh Kd", table="plain", stakes=(3,))
    words = ("hold-2-3-4-5", "hold-1-2-3", "hold-1-2-4-5")
    left = [seen(setup, *words[:n], game=ARCADE).exchanges_left for n in range(4)]
    assert left == [3, 2, 1, 0]
    hands = [format_cards(seen(setup, *words[:n], game=ARCADE).hand) for n in range(4)]
    assert hands == ["2c 4d 6h 8s Tc", "3h 4d 6h 8s Tc", "3h 4d 6h 5h 7h", "3h 4d 9h 5h 7h"]
    assert [seen(setup, *words[:n], game=ARCADE).phase for n in range(4)] == ["exchange"] * 3 + ["over"]


def test_the_player_may_stop_early_where_the_table_says_so():
    setup = deal("2c 2d 6h 8s Tc", table="plain", stakes=(3,))
    assert "stop" in map(str, ARCADE.legal_actions(play(setup, game=ARCADE)))
    view = seen(setup, "stop", game=ARCADE)
    assert view.result is not None
    assert (view.result.payouts, view.said[0]) == ((3,), Label("STOPPED"))
    assert "stop" not in map(str, POKER.legal_actions(play(deal(TEN))))


def test_a_bet_multiplies_the_pay_table_and_is_what_was_put_in():
    setup = deal("Jk 2d 6h 8s Tc", table="plain", stakes=(7,))
    state = play(setup, "stop", game=ARCADE)
    assert ARCADE.committed(state) == (7,)
    assert ARCADE.result(state) == Result((14,), (Label.of("JOKER", high=Rank.TEN),))
    assert JOKER in state.hand


@pytest.mark.parametrize("stakes", [(), (0,), (-1,), (1, 1)])
def test_a_bet_that_cannot_be_is_refused(stakes):
    with pytest.raises(SetupError, match="stakes do not fit"):
        play(deal("2c 2d 6h 8s Tc", table="plain", stakes=stakes), game=ARCADE)


def test_a_table_without_double_up_has_one_pack_and_ends_with_the_hand():
    assert ARCADE.packs("plain") == (Pack(jokers=1, needed=20),)
    view = seen(deal("2c 2d 6h 8s Tc", table="plain", stakes=(1,)), KEEP_ALL, KEEP_ALL, KEEP_ALL, game=ARCADE)
    assert (view.phase, view.ladder) == ("over", ())


def test_the_default_table_has_the_double_up_of_the_rules():
    assert POKER.rules("quest").double_up == DoubleUp("push", 10, 999_999, 20)
    assert POKER.rules("quest-ties-win").double_up == DoubleUp("win", 10, 999_999, 20)
