"""Laws that hold for every game at every table. They apply to a new game as soon as it is registered."""

from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contracts.playing import (
    MORE_OWN_TABLES,
    OWN_TABLES,
    TABLE_NAMES,
    TABLES,
    cards_in,
    finished,
    playouts,
    replayed,
    tell_the_same,
    walk,
    with_hidden_cards_shuffled,
)
from webapp.engine import notation
from webapp.engine.action import Action, Seat
from webapp.engine.cards import Card, Rank, Stock, Suit
from webapp.engine.errors import IllegalAction, NotationError, SetupError
from webapp.engine.game import Pack, Result, Setup, View, replay
from webapp.engine.games import GAMES
from webapp.engine.label import Label
from webapp.engine.shuffling import ShuffledPacks

ROOT = Path(__file__).parents[2]

every_table = pytest.mark.parametrize(
    "table",
    [*TABLES, *OWN_TABLES, *(pytest.param(table, marks=pytest.mark.soak) for table in MORE_OWN_TABLES)],
    ids=[*TABLE_NAMES, *(f"{game.spec.code}/{variant}" for game, variant in (*OWN_TABLES, *MORE_OWN_TABLES))],
)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
thoroughly = settings(suppress_health_check=[HealthCheck.too_slow])  # number of examples: see the profiles

plays = st.data()
foreign_actions = st.builds(
    Action,
    st.integers(0, 9).map(Seat),
    st.sampled_from(
        ["hold", "pick", "double", "collect", "stop", "hit", "stand", "split", "insure", "surrender", "bet", "x"]
    ),
    st.sets(st.integers(0, 12), max_size=5).map(lambda found: tuple(sorted(found))),
)

# ------------------------------------------------------------------------------------------ rules


@every_table
@thoroughly
@given(data=plays)
def test_there_is_a_result_exactly_when_nothing_may_be_done(table, data):
    playout = data.draw(playouts(*table))
    for state in playout.states:
        assert (playout.game.result(state) is None) == bool(playout.game.legal_actions(state))


@every_table
@thoroughly
@given(data=plays)
def test_every_hand_comes_to_an_end_with_a_payout_for_each_seat(table, data):
    playout = data.draw(finished(*table))
    result = playout.game.result(playout.last)
    assert isinstance(result, Result)
    assert len(result.payouts) == (len(playout.setup.stakes) or playout.game.spec.seats)
    assert all(payout >= 0 for payout in result.payouts)
    assert result.labels
    assert all(isinstance(label, Label) for label in result.labels)


@every_table
@thoroughly
@given(data=plays, action=foreign_actions)
def test_an_action_is_legal_or_it_is_refused_and_changes_nothing(table, data, action):
    playout = data.draw(playouts(*table))
    game = playout.game
    for ply, state in enumerate(playout.states):
        legal = game.legal_actions(state)
        foreign = [action, *(replace(one, seat=Seat(one.seat + game.spec.seats)) for one in legal)]
        for one in set(foreign) - set(legal):
            with pytest.raises(IllegalAction, match=f"^{one} is not legal now$"):
                game.apply(state, one)
        assert state == replay(game, playout.setup, playout.moves[:ply])


@every_table
@thoroughly
@given(data=plays)
def test_every_legal_action_can_be_applied_and_makes_another_state(table, data):
    playout = data.draw(playouts(*table))
    for action in playout.game.legal_actions(playout.last):
        assert playout.game.apply(playout.last, action) != playout.last


@every_table
@thoroughly
@given(data=plays)
def test_legal_actions_are_different_and_are_read_back_from_their_words(table, data):
    playout = data.draw(playouts(*table))
    for state in playout.states:
        legal = playout.game.legal_actions(state)
        assert len(set(legal)) == len(legal)
        assert tuple(Action.parse(str(action)) for action in legal) == legal


@every_table
@thoroughly
@given(data=plays)
def test_what_is_played_for_the_absent_is_legal(table, data):
    playout = data.draw(playouts(*table))
    for state in playout.states:
        legal = playout.game.legal_actions(state)
        for seat in {action.seat for action in legal}:
            assert playout.game.default_action(state, seat) in legal


@every_table
@thoroughly
@given(data=plays)
def test_what_was_put_in_never_shrinks(table, data):
    playout = data.draw(playouts(*table))
    committed = [playout.game.committed(state) for state in playout.states]
    assert len({len(chips) for chips in committed}) == 1
    for before, after in pairwise(committed):
        assert all(a <= b for a, b in zip(before, after, strict=True))
    assert all(chips >= 0 for chips in committed[0])


@every_table
@thoroughly
@given(data=plays)
def test_a_replay_leads_to_the_same_state(table, data):
    playout = data.draw(playouts(*table))
    assert replayed(playout, playout.setup, len(playout.moves)) == list(playout.states)


@every_table
@thoroughly
@given(data=plays)
def test_no_state_can_be_changed(table, data):
    playout = data.draw(playouts(*table))
    for state in (playout.last, *playout.views(playout.last)):
        assert is_dataclass(state)
        with pytest.raises(FrozenInstanceError):
            setattr(state, fields(state)[0].name, None)
    assert not any(isinstance(value, (list, set, dict)) for value in walk(playout.views(playout.last)[0]))


# ------------------------------------------------------------------------------------------ setups


@every_table
def test_packs_are_such_as_can_be_shuffled(table):
    game, variant = table
    packs = game.packs(variant)
    assert packs
    for pack in packs:
        assert isinstance(pack, Pack)
        assert 0 < pack.needed <= 52 * pack.decks + pack.jokers
    shuffled = ShuffledPacks(bytes(32), "law", ("-",), packs)
    assert [len(row) for row in shuffled] == [52 * pack.decks + pack.jokers for pack in packs]


@every_game
def test_a_table_that_does_not_exist_is_refused(game):
    for ask in (game.rules, game.packs, lambda variant: game.start(Setup(variant, (), ()))):
        with pytest.raises(SetupError, match="no-such-table"):
            ask("no-such-table")


@every_table
@thoroughly
@given(data=plays)
def test_impossible_stakes_are_refused(table, data):
    playout = data.draw(playouts(*table))
    for stakes in ((7,) * 9, (0,), (-1,)):
        with pytest.raises(SetupError):
            playout.game.start(replace(playout.setup, stakes=stakes))


@every_table
def test_without_cards_nothing_starts(table):
    game, variant = table
    for rows in ((), ((),), ((),) * len(game.packs(variant))):
        for stakes in ((), (10,), (10, 10)):
            with pytest.raises(SetupError):
                game.start(Setup(variant, stakes, rows))


# ------------------------------------------------------------------------------------------ dealt


@every_table
@thoroughly
@given(data=plays)
def test_cards_leave_the_packs_one_after_another_and_never_more_than_announced(table, data):
    playout = data.draw(playouts(*table))
    packs = playout.game.packs(playout.setup.variant)
    before = (0,) * len(packs)
    for state in playout.states:
        dealt = playout.game.dealt(state)
        counts = dealt + (0,) * (len(packs) - len(dealt))
        assert len(counts) == len(packs)
        assert all(a <= b <= pack.needed for a, b, pack in zip(before, counts, packs, strict=True))
        before = counts


@every_table
@thoroughly
@given(data=plays)
def test_the_dealt_cards_are_enough_to_play_the_hand_and_one_less_is_not(table, data):
    playout = data.draw(playouts(*table))
    dealt = playout.game.dealt(playout.last)
    rows = [tuple(row[:count]) for row, count in zip(playout.setup.cards, dealt, strict=False)]
    exact = replace(playout.setup, cards=tuple(rows))
    again = replayed(playout, exact, len(playout.moves))
    assert [playout.views(state) for state in again] == [playout.views(state) for state in playout.states]
    for number, row in enumerate(rows):
        if row:
            short = (*rows[:number], row[:-1], *rows[number + 1 :])
            with pytest.raises(SetupError):
                replayed(playout, replace(playout.setup, cards=short), len(playout.moves))


@every_table
@thoroughly
@given(data=plays)
def test_only_dealt_cards_are_seen(table, data):
    playout = data.draw(playouts(*table))
    for state in playout.states:
        dealt = zip(playout.setup.cards, playout.game.dealt(state), strict=False)
        on_the_table = {id(card) for row, count in dealt for card in row[:count]}
        for view in playout.views(state):
            assert cards_in(view).keys() <= on_the_table
        assert cards_in(playout.game.summary_cards(state)).keys() <= cards_in(playout.game.view(state, None)).keys()


# ------------------------------------------------------------------------------------------ views


@every_table
@thoroughly
@given(data=plays)
def test_a_view_says_whose_it_is_and_what_may_be_done(table, data):
    playout = data.draw(playouts(*table))
    for state in playout.states:
        legal = playout.game.legal_actions(state)
        for viewer, view in zip(playout.viewers, playout.views(state), strict=True):
            assert isinstance(view, View)
            assert view.viewer == viewer
            assert view.actions == tuple(action for action in legal if action.seat == viewer)
            assert view.result == playout.game.result(state)
            assert (view.to_act is None) == (not legal)
            assert view.to_act is None or view.to_act in {action.seat for action in legal}


@every_table
@thoroughly
@given(data=plays)
def test_a_view_never_holds_a_stock_a_state_or_a_setup(table, data):
    playout = data.draw(playouts(*table))
    state_type = type(playout.game.start(playout.setup))
    for state in playout.states:
        for view in playout.views(state):
            held = {type(each) for each in walk(view)}
            assert not held & {Stock, state_type, Setup, ShuffledPacks, Pack}


@every_table
@thoroughly
@given(data=plays, seed=st.integers(0, 2**32))
def test_a_view_does_not_change_when_the_cards_nobody_has_been_shown_are_shuffled(table, data, seed):
    """The law holds for each viewer. Which cards must be shown differs by game; each game's own tests check that."""
    playout = data.draw(playouts(*table))
    for viewer in playout.viewers:
        views = [playout.game.view(state, viewer) for state in playout.states]
        shown: set[int] = set()
        for ply, view in enumerate(views):
            shown |= cards_in(view).keys()
            other = with_hidden_cards_shuffled(playout, shown, Random(seed + ply))
            if not tell_the_same(playout, other, ply):
                continue
            again = replayed(playout, other, ply)
            assert [playout.game.view(state, viewer) for state in again] == views[: ply + 1]


@every_table
@settings(max_examples=20, deadline=None)
@given(data=plays)
def test_a_view_does_not_tell_the_hidden_cards_by_its_text(table, data):
    """The ``repr`` of a view contains no hidden card, either."""
    playout = data.draw(playouts(*table))
    for view in playout.views(playout.last):
        seen = set(cards_in(view).values())
        rows = [card for row in playout.setup.cards for card in row]
        assert not [card for card in set(rows) - seen if repr(card) in repr(view)]


# ------------------------------------------------------------------------------------------ notation


@every_table
@thoroughly
@given(data=plays)
def test_a_hand_is_read_back_from_its_line(table, data):
    playout = data.draw(playouts(*table))
    record = notation.record(playout.game, playout.setup, playout.moves)
    line = notation.dumps(record)
    assert notation.loads(line) == record
    assert notation.dumps(notation.loads(line)) == line
    assert line.isascii()
    assert line.count(" ") == 4
    result = playout.game.result(playout.last)
    assert record.payouts == (result.payouts if result else None)
    assert record.moves == playout.moves


@every_table
@thoroughly
@given(data=plays)
def test_a_line_of_a_void_hand_has_no_payouts_and_is_written_in_one_way(table, data):
    playout = data.draw(playouts(*table))
    record = notation.record(playout.game, playout.setup, playout.moves).as_void()
    line = notation.dumps(record)
    assert line.split(" ")[-1] == ("void" if playout.game.result(playout.last) else "*")
    assert (record.payouts, notation.loads(line)) == (None, record)
    if not record.void:
        with pytest.raises(NotationError, match="say otherwise"):
            notation.loads(line[:-1] + "void")


@every_table
@thoroughly
@given(data=plays)
def test_a_line_holds_no_card_that_was_not_dealt(table, data):
    playout = data.draw(playouts(*table))
    record = notation.record(playout.game, playout.setup, playout.moves)
    assert tuple(map(len, record.setup.cards)) == playout.game.dealt(playout.last)


def tampered(line: str, game_code: str) -> dict[str, str]:
    """Return variants of a finished hand's line with one thing changed, by what was changed."""
    place, stakes, cards, moves, payouts = line.split(" ")
    *rows, last_row = cards.split(",")
    *first_payouts, last_payout = payouts.split(",")
    fewer_moves = ",".join(moves.split(",")[:-1]) or "-"

    def changed(**field: str) -> str:
        whole = {"place": place, "stakes": stakes, "cards": cards, "moves": moves, "payouts": payouts, **field}
        return " ".join(whole.values())

    return {
        "another game": changed(place=f"x{place}"),
        "another table": changed(place=f"{game_code}/no-such-table"),
        "no table": changed(place=game_code),
        "a table too many": changed(place=f"{place}/{place}"),
        "capital letters": changed(place=place.upper()),
        "a stake more": changed(stakes="7" if stakes == "-" else f"{stakes},7"),
        "a stake of nothing": changed(stakes="0"),
        "a stake below nothing": changed(stakes="-5"),
        "a stake in other digits": changed(stakes="７"),
        "a stake in small digits": changed(stakes="²"),
        "an endless stake": changed(stakes="1" * 5000),
        "no cards": changed(cards=""),
        "a card less": changed(cards=",".join([*rows, last_row[:-2]])),
        "a card more": changed(cards=",".join([*rows, last_row + "Jk"])),
        "half a card more": changed(cards=cards + "A"),
        "the first card twice": changed(cards=cards[:2] + cards),
        "a pack less": changed(cards=",".join(rows)),
        "an empty pack more": changed(cards=cards + ","),
        "a pack more": changed(cards=cards + ",AhKhQhJhTh"),
        "too many packs": changed(cards=cards + ",Ah" * 99),
        "no moves": changed(moves="-"),
        "a move less": changed(moves=fewer_moves),
        "a move more": changed(moves=f"{moves},{moves.split(',')[-1]}"),
        "an empty move": changed(moves=f"{moves},"),
        "a move of another seat": changed(moves=f"{moves}@9"),
        "an unknown move": changed(moves="nonsense"),
        "one chip more": changed(payouts=",".join([*first_payouts, str(int(last_payout) + 1)])),
        "one chip less": changed(payouts=",".join([*first_payouts, str(int(last_payout) - 1)])),
        "a leading zero": changed(payouts=f"0{payouts}"),
        "a payout more": changed(payouts=f"{payouts},0"),
        "not played out": changed(payouts="*"),
        "void, and more": changed(payouts=f"void,{payouts}"),
        "no payouts": changed(payouts="-"),
        "a line end": line + "\n",
        "a space before": " " + line,
        "a space within": line.replace(" ", "  ", 1),
        "a tab": line.replace(" ", "\t", 1),
        "a field less": line.rpartition(" ")[0],
        "a field more": line + " -",
        "nothing": "",
    }


@every_table
@thoroughly
@given(data=plays)
def test_a_line_that_was_tampered_with_is_refused(table, data):
    playout = data.draw(finished(*table))
    line = notation.dumps(notation.record(playout.game, playout.setup, playout.moves))
    notation.loads(line)
    others = tampered(line, playout.game.spec.code)
    if playout.game.packs(playout.setup.variant)[0].decks > 1:
        del others["the first card twice"]  # it may be there twice
    for what, other in others.items():
        if other == line:  # a hand that was over with the deal has no moves to be left out
            continue
        try:
            notation.loads(other)
        except NotationError:
            continue
        pytest.fail(f"{what}: {other!r} was believed, the hand was {line!r}")


@every_table
@thoroughly
@given(data=plays)
def test_a_line_with_any_character_changed_is_another_true_line_or_is_refused(table, data):
    playout = data.draw(playouts(*table))
    line = notation.dumps(notation.record(playout.game, playout.setup, playout.moves))
    start = data.draw(st.integers(0, len(line)))
    stop = data.draw(st.integers(start, min(start + 3, len(line))))
    typed = st.text(alphabet="0123456789,-*/@ AKQJTkcdhsholdpick１\n", max_size=3)
    other = line[:start] + data.draw(typed) + line[stop:]
    try:
        record = notation.loads(other)
    except NotationError:
        return
    assert notation.dumps(record) == other


@given(line=st.one_of(st.text(max_size=60), st.text(max_size=60).map("poker/quest - ".__add__)))
def test_any_text_is_a_hand_or_is_refused_and_nothing_else_happens(line):
    try:
        record = notation.loads(line)
    except NotationError:
        return
    assert notation.dumps(record) == line


@every_table
@thoroughly
@given(data=plays)
def test_a_hand_with_a_card_more_often_than_its_pack_holds_it_is_not_believed(table, data):
    """The rules would accept it; only reading the line detects that it cannot have been dealt."""
    game, variant = table
    pack = game.packs(variant)[0]
    playout = data.draw(playouts(game, variant))
    first = playout.setup.cards[0]
    natural = next(card for card in first if not card.is_joker)
    same = (natural,) * (1 + pack.decks)
    dealt = max(game.dealt(playout.states[0])[0], len(same))
    forged = replace(playout.setup, cards=((*same, *first)[:dealt],))
    line = notation.dumps(notation.Record(game.spec.code, forged, (), None))
    with pytest.raises(NotationError, match=f"too many of one card: {natural}"):
        notation.loads(line)


# ------------------------------------------------------------------------------------------ one name


@every_game
def test_a_game_has_one_name(game):
    assert GAMES[game.spec.code] is game
    assert game.spec.code.isidentifier()
    assert game.spec.code == game.spec.code.lower()
    assert (ROOT / "webapp" / "engine" / "games" / game.spec.code / "__init__.py").is_file()


@every_game
def test_a_game_has_tables_and_seats(game):
    variants = game.spec.variants
    assert variants
    assert len(set(variants)) == len(variants)
    assert game.spec.default == variants[0]
    assert game.spec.seats >= 1
    assert not any(set(variant) & set("/ ,@*") for variant in variants)


# ------------------------------------------------------------------------------------------ these laws themselves


def test_the_walk_finds_a_card_wherever_it_is_kept():
    card = Card(Rank.ACE, Suit.SPADES)
    for holder in (card, (card,), [card], {"a": card}, {card}, Label.of("x", card=card), Label.of("x", cards=(card,))):
        assert cards_in(holder) == {id(card): card}


@pytest.mark.slow
@every_table
def test_the_plays_reach_deep_into_a_hand(table):
    """Otherwise the laws above would say little about later stages of a hand."""
    game, variant = table
    lengths = []

    @settings(derandomize=True, database=None, deadline=None, max_examples=100)
    @given(data=plays)
    def play(data):
        lengths.append(len(data.draw(playouts(game, variant)).moves))

    play()
    bets = game.rules(variant).bets
    has_rounds = len(game.packs(variant)) > (max(bets.lines) if bets else 1)  # beside a pack for each hand
    deep = 4 if has_rounds else 1
    assert sum(length >= deep for length in lengths) >= 5
