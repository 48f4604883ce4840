"""The double-up, with a test for each sentence of its rules."""

import pytest

from tests.support.draw_poker_hands import KEEP_ALL, LOSE_1, ONE_PAIR, POKER, ROYAL, TIE_1, WIN_1, deal, play, seen
from webapp.engine.action import ALONE, Action
from webapp.engine.bets import Bets
from webapp.engine.cards import RANKS, STANDARD_DECK, SUITS, Card, Rank, parse_cards
from webapp.engine.draw_poker.double_up import DoubleUp, DoubleUpOdds, DoubleUpOutcome
from webapp.engine.draw_poker.game import DrawGame
from webapp.engine.draw_poker.rules import DrawRules
from webapp.engine.errors import IllegalAction, NotationError, SetupError
from webapp.engine.label import Label
from webapp.engine.poker.pay_tables import QUEST

DOUBLE_AND_PICK = ("double", "pick-1")


def after(*rounds: str, moves: tuple[str, ...], hand: str = ONE_PAIR, table: str = "quest"):
    """Return the player's view after keeping a hand and making these moves."""
    return seen(deal(hand, *rounds, table=table), KEEP_ALL, *moves)


# ------------------------------------------------------------------------------------------ asked first


def test_collect_or_double_is_asked_before_the_next_cards_are_seen():
    asked = after(WIN_1, moves=())
    assert (asked.phase, asked.rounds, asked.odds) == ("ask", (), None)
    assert asked == after(LOSE_1, moves=()) == after("", moves=()), "whatever comes next, the question looks the same"


def test_the_question_is_asked_again_after_a_win_and_again_before_cards_are_seen():
    asked = after(WIN_1, LOSE_1, moves=DOUBLE_AND_PICK)
    assert (asked.phase, len(asked.rounds)) == ("ask", 1)
    assert tuple(map(str, asked.actions)) == ("double", "collect")
    assert asked == after(WIN_1, TIE_1, moves=DOUBLE_AND_PICK)


def test_no_card_of_a_round_is_dealt_before_the_player_doubles():
    setup = deal(ONE_PAIR, WIN_1)
    assert POKER.dealt(play(setup, KEEP_ALL)) == (5,)
    assert POKER.dealt(play(setup, KEEP_ALL, "double")) == (5, 5)


# ------------------------------------------------------------------------------------------ the round


def test_a_round_shows_one_card_and_hides_four():
    view = after(WIN_1, moves=("double",))
    (current,) = view.rounds
    assert (current.open, current.picks) == (parse_cards("5h")[0], (None,) * 4)
    assert (current.picked, current.outcome, current.before, current.after) == (None, None, 50, None)
    assert view.phase == "pick"
    assert view.said == (Label.of("OPEN_CARD", card=current.open, score=50),)


def test_the_player_picks_one_of_the_four():
    assert tuple(map(str, after(WIN_1, moves=("double",)).actions)) == ("pick-1", "pick-2", "pick-3", "pick-4")


def test_all_five_cards_of_a_round_are_fixed_before_the_pick():
    setup = deal(ONE_PAIR, WIN_1)
    for pick in (1, 2, 3, 4):
        (finished,) = seen(setup, KEEP_ALL, "double", f"pick-{pick}").rounds
        assert (finished.open, *finished.picks) == parse_cards(WIN_1)


@pytest.mark.parametrize("pick, score", [(1, 100), (2, 0), (3, 0), (4, 0)])
def test_the_picked_card_counts_and_not_another(pick, score):
    view = after(WIN_1, moves=("double", f"pick-{pick}"))
    assert (view.score, view.rounds[0].picked) == (score, pick)


@pytest.mark.parametrize("row", [WIN_1, TIE_1, LOSE_1])
@pytest.mark.parametrize("table", ["quest", "quest-ties-win"])
def test_all_four_cards_are_turned_over_after_the_pick(row, table):
    view = after(row, WIN_1, moves=DOUBLE_AND_PICK, table=table)
    assert view.rounds[0].picks == parse_cards(row)[1:]


def test_every_round_is_a_fresh_deck_in_which_any_card_may_come_again():
    view = after(ONE_PAIR, ONE_PAIR, moves=("double", "pick-1"))
    assert view.rounds[0].open in view.hand


def test_a_round_that_is_not_in_the_setup_is_refused():
    with pytest.raises(SetupError, match="pack 1 is wanted, there are 1"):
        play(deal(ONE_PAIR), KEEP_ALL, "double")
    with pytest.raises(SetupError, match="5 cards wanted, 2 left"):
        play(deal(ONE_PAIR, "5h 9c"), KEEP_ALL, "double")


# ------------------------------------------------------------------------------------------ higher, lower, equal


def test_higher_doubles_the_score():
    view = after(WIN_1, moves=DOUBLE_AND_PICK)
    (won,) = view.rounds
    assert (won.outcome, won.before, won.after) == ("win", 50, 100)
    assert (view.score, view.wins) == (100, 1)
    assert view.said == (Label.of("DOUBLE_WIN", open=won.open, picked=won.picks[0], score=100),)


def test_lower_takes_all_and_ends_the_game():
    view = after(WIN_1, LOSE_1, moves=DOUBLE_AND_PICK * 2)
    assert (view.phase, view.score, view.actions) == ("over", 0, ())
    assert view.result is not None
    assert view.result.payouts == (0,)
    assert [label.code for label in view.result.labels] == ["ONE_PAIR", "DOUBLE_LOSE"]
    assert view.rounds[1].outcome == "lose"


def test_equal_is_a_push_the_score_stands_and_a_fresh_round_is_dealt():
    view = after(TIE_1, WIN_1, moves=DOUBLE_AND_PICK)
    tied, fresh = view.rounds
    assert (tied.outcome, tied.before, tied.after) == ("tie", 50, 50)
    assert (view.phase, view.score) == ("pick", 50)
    assert (fresh.picks, fresh.before) == ((None,) * 4, 50)
    assert [label.code for label in view.said] == ["DOUBLE_TIE", "OPEN_CARD"]


def test_a_push_does_not_count_as_a_win():
    view = after(TIE_1, TIE_1, WIN_1, moves=("double", "pick-1", "pick-1", "pick-1"))
    assert (view.wins, view.score, len(view.rounds)) == (1, 100, 3)


def test_equal_is_a_win_where_the_table_says_so():
    view = after(TIE_1, moves=DOUBLE_AND_PICK, table="quest-ties-win")
    assert (view.phase, view.score, view.wins, view.rounds[0].outcome) == ("ask", 100, 1, "win")


@pytest.mark.parametrize("tie", ["push", "win"])
def test_only_rank_counts_ace_high(tie):
    site = DoubleUp(tie=tie)
    equal = DoubleUpOutcome.WIN if tie == "win" else DoubleUpOutcome.TIE
    for open_card in STANDARD_DECK:
        for picked in STANDARD_DECK:
            by_rank = "23456789TJQKA".index(str(picked)[0]) - "23456789TJQKA".index(str(open_card)[0])
            wanted = DoubleUpOutcome.WIN if by_rank > 0 else DoubleUpOutcome.LOSE if by_rank < 0 else equal
            assert site.outcome(open_card, picked) is wanted


def test_an_open_ace_cannot_be_beaten_and_an_open_two_cannot_be_lost_to():
    assert DoubleUpOdds.of(Card(Rank.ACE, SUITS[0])) == DoubleUpOdds(win=0, tie=3, lose=48)
    assert DoubleUpOdds.of(Card(Rank.TWO, SUITS[3])) == DoubleUpOdds(win=48, tie=3, lose=0)


# ------------------------------------------------------------------------------------------ collecting


@pytest.mark.parametrize("wins", range(10))
def test_what_stands_can_be_collected_after_any_number_of_wins_but_the_last(wins):
    view = after(*[WIN_1] * wins, moves=(*DOUBLE_AND_PICK * wins, "collect"))
    assert view.result is not None
    assert view.result.payouts == (50 * 2**wins,) == (view.score,)
    assert view.said == (Label.of("COLLECTED", score=50 * 2**wins),)


def test_after_the_tenth_win_the_score_is_collected_without_asking():
    view = after(*[WIN_1] * 10, moves=DOUBLE_AND_PICK * 10)
    assert (view.phase, view.wins, view.score) == ("over", 10, 51_200)
    assert view.result is not None
    assert view.result.payouts == (51_200,)
    assert [label.code for label in view.said] == ["DOUBLE_WIN", "COLLECTED_AT_LIMIT"]
    assert after(*[WIN_1] * 9, moves=DOUBLE_AND_PICK * 9).phase == "ask"


def test_the_score_never_passes_999_999_and_is_collected_there():
    before = after(*[WIN_1] * 6, moves=DOUBLE_AND_PICK * 6, hand=ROYAL)
    assert (before.phase, before.score) == ("ask", 640_000)
    view = after(*[WIN_1] * 7, moves=DOUBLE_AND_PICK * 7, hand=ROYAL)
    assert (view.phase, view.score, view.wins) == ("over", 999_999, 7)
    assert view.result is not None
    assert view.result.payouts == (999_999,)
    assert view.said[-1] == Label.of("COLLECTED_AT_LIMIT", score=999_999)


@pytest.mark.parametrize("bet, phase", [(19_999, "ask"), (20_000, "over"), (50_000, "over")])
def test_a_hand_that_reaches_the_highest_score_by_itself_is_paid_in_full_and_not_doubled(bet, phase):
    limits = DoubleUp(max_score=1_000_000)
    game = DrawGame("test", {"quest": DrawRules(pay_table=QUEST, bets=Bets(), double_up=limits)})
    view = seen(deal(ONE_PAIR, WIN_1, stakes=(bet,)), KEEP_ALL, game=game)
    assert (view.phase, view.score) == (phase, 50 * bet)


def test_after_the_twentieth_round_the_score_is_collected_and_pushes_count_as_rounds():
    pushes = after(*[TIE_1] * 19, WIN_1, moves=("double", *["pick-1"] * 19))
    assert (pushes.phase, len(pushes.rounds), pushes.wins) == ("pick", 20, 0)
    view = after(*[TIE_1] * 20, moves=("double", *["pick-1"] * 20))
    assert (view.phase, len(view.rounds), view.wins, view.score) == ("over", 20, 0, 50)
    assert view.result is not None
    assert view.result.payouts == (50,)
    assert [label.code for label in view.said] == ["DOUBLE_TIE", "COLLECTED_AT_LIMIT"]


def test_a_win_in_the_twentieth_round_is_doubled_and_then_collected():
    view = after(*[TIE_1] * 19, WIN_1, moves=("double", *["pick-1"] * 20))
    assert (view.phase, view.score, view.wins) == ("over", 100, 1)


def test_a_loss_in_the_last_round_is_a_loss():
    assert after(*[TIE_1] * 19, LOSE_1, moves=("double", *["pick-1"] * 20)).score == 0
    assert after(*[WIN_1] * 9, LOSE_1, moves=DOUBLE_AND_PICK * 10).score == 0


def test_the_limits_are_the_tables_own():
    def played(limits: DoubleUp, *rounds: str, moves: tuple[str, ...]):
        game = DrawGame("test", {"quest": DrawRules(pay_table=QUEST, double_up=limits)})
        return seen(deal(ONE_PAIR, *rounds), KEEP_ALL, *moves, game=game)

    assert played(DoubleUp(max_wins=1), WIN_1, moves=DOUBLE_AND_PICK).phase == "over"
    assert played(DoubleUp(max_rounds=1), TIE_1, moves=DOUBLE_AND_PICK).phase == "over"
    assert played(DoubleUp(max_score=100), WIN_1, moves=DOUBLE_AND_PICK).phase == "over"
    assert played(DoubleUp(max_score=101), WIN_1, moves=DOUBLE_AND_PICK).phase == "ask"
    assert played(DoubleUp(max_score=70), WIN_1, moves=DOUBLE_AND_PICK).score == 70


# ------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    "word", ["pick-0", "pick-5", "pick-12", "pick", "pick-1-2", "collect", "double", "hold", "pick-1@1"]
)
def test_a_refused_pick_says_so_and_the_same_cards_stay_on_the_table(word):
    setup = deal(ONE_PAIR, WIN_1, LOSE_1)
    state = play(setup, KEEP_ALL, "double")
    with pytest.raises(IllegalAction, match=f"^{word} is not legal now$"):
        POKER.apply(state, Action.parse(word))
    assert state == play(setup, KEEP_ALL, "double")
    assert POKER.dealt(state) == (5, 5)
    assert state.rounds[0].cards == parse_cards(WIN_1)


@pytest.mark.parametrize("word", ["pick-", "pick-x", "pick-01", "pick-１", "pick--1", "pick 1", "pick-1.0"])
def test_a_pick_that_is_no_number_is_not_even_an_action(word):
    with pytest.raises(NotationError, match="not an action"):
        Action.parse(word)


@pytest.mark.parametrize("word", ["pick-1", "hold", "stop"])
def test_nothing_can_be_picked_before_the_player_doubles(word):
    with pytest.raises(IllegalAction):
        play(deal(ONE_PAIR, WIN_1), KEEP_ALL, word)


@pytest.mark.parametrize("word", ["double", "collect", "pick-1", "hold"])
def test_nothing_happens_after_the_end(word):
    for end in (("collect",), ("double", "pick-2")):
        with pytest.raises(IllegalAction):
            play(deal(ONE_PAIR, WIN_1, WIN_1), KEEP_ALL, *end, word)


# ------------------------------------------------------------------------------------------ odds, ladder, absence


@pytest.mark.parametrize("open_card", STANDARD_DECK, ids=str)
def test_the_odds_of_the_open_card_are_those_of_the_51_others(open_card):
    outcomes = [DoubleUp().outcome(open_card, other) for other in STANDARD_DECK if other != open_card]
    counted = {outcome: outcomes.count(outcome) for outcome in DoubleUpOutcome}
    odds = DoubleUpOdds.of(open_card)
    assert (odds.win, odds.tie, odds.lose) == (counted["win"], counted["tie"], counted["lose"])
    assert odds.win + odds.tie + odds.lose == 51


def test_the_odds_are_shown_while_a_card_is_to_be_picked_and_only_then():
    assert after(WIN_1, moves=()).odds is None
    assert after(WIN_1, moves=("double",)).odds == DoubleUpOdds(win=36, tie=3, lose=12)
    assert after(WIN_1, moves=DOUBLE_AND_PICK).odds is None
    assert after(TIE_1, "Ah 2c 3c 4c 5c", moves=DOUBLE_AND_PICK).odds == DoubleUpOdds(win=0, tie=3, lose=48)


def test_over_all_ranks_the_site_has_no_edge_but_the_ties():
    odds = [DoubleUpOdds.of(Card(rank, SUITS[0])) for rank in RANKS]
    assert sum(one.win for one in odds) == sum(one.lose for one in odds)


@pytest.mark.parametrize("wins", range(11))
def test_the_ladder_holds_the_present_score_on_its_rung(wins):
    view = after(*[WIN_1] * 10, moves=DOUBLE_AND_PICK * wins)
    assert len(view.ladder) == 5
    assert view.ladder[view.rung] == view.score == 50 * 2**wins
    assert all(high == 2 * low for low, high in zip(view.ladder, view.ladder[1:], strict=False))


def test_the_ladder_does_not_pass_the_highest_score():
    view = after(*[WIN_1] * 7, moves=DOUBLE_AND_PICK * 6, hand=ROYAL)
    assert view.ladder[view.rung] == 640_000
    assert view.ladder[view.rung + 1] == 999_999 == max(view.ladder)


def test_the_absent_pick_the_first_card():
    assert str(POKER.default_action(play(deal(ONE_PAIR, WIN_1), KEEP_ALL, "double"), ALONE)) == "pick-1"
