"""Mutation tests: copies of the site are broken in one place each, and a test has to fail.

A copy is a folder of its own with code, templates and tests. All tests used here must pass in an unbroken copy.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Mutant:
    """Texts to be replaced, by file, and the test that has to fail."""

    noticed_by: str
    changes: tuple[tuple[str, str, str], ...]


STREAMS = "tests/web/hidden_cards/test_streams.py::test_no_stream_of_anybody_shows_a_hidden_card_or_the_seed[4]"

MUTANTS = {
    "a move is played whenever it comes": Mutant(
        "tests/services/solo/test_play.py::test_a_saved_cookie_sent_after_the_pick_cannot_pick_differently[sqlite]",
        (
            (
                "webapp/services/solo/move_requests.py",
                "return live and step == hand.step",
                "return live",
            ),
        ),
    ),
    "no lock and no compare-and-set": Mutant(
        "tests/services/solo/test_compare_and_set.py::test_in_one_process_each_step_is_played_once_and_each_chip_charged_once[sqlite-poker]",
        (
            ("webapp/models/hand.py", "    __mapper_args__ = ", "    _never_read = "),
            ("webapp/services/solo/rows.py", '.step == bindparam("read")', '.step > bindparam("read") - 99'),
            ("webapp/services/core/database.py", 'if db.engine.dialect.name == "sqlite"', "if False"),
            ("webapp/services/core/database.py", '"BEGIN IMMEDIATE"', '"BEGIN"'),
        ),
    ),
    "gold holds a pair beside four to a flush": Mutant(
        "tests/web/test_golden_actions.py::test_at_draw_poker_with_any_cards_marked[quest]",
        (("webapp/engine/draw_poker/holds.py", "made.most < 4 and made.highest < 3", "made.highest < 6"),),
    ),
    "gold hits where doubling is better": Mutant(
        "tests/web/test_golden_actions.py::test_at_blackjack",
        (("webapp/engine/twenty_one/hand.py", "and not may_do_more:", "and True:"),),
    ),
    "no owner check": Mutant(
        "tests/web/test_ownership.py::test_anothers_hand_is_answered_exactly_like_no_hand_at_all[a player-json]",
        (("webapp/services/solo/rows.py", 'Hand.player_id == bindparam("player"), Hand.game', "Hand.game"),),
    ),
    "moves of an ended session": Mutant(
        "tests/web/request/test_ended_sessions.py::test_no_move_of_an_ended_session_is_carried_out[poker]",
        (("webapp/services/solo/rows.py", '.where(Player.session_number == bindparam("number"))', ""),),
    ),
    "the box is not encrypted": Mutant(
        "tests/web/hidden_cards/test_solo.py::test_every_layer_of_the_cookie_opened_reveals_no_card_and_no_seed",
        (
            (
                "webapp/services/fairness/sealing.py",
                "self._fernet.encrypt(json",
                "b64encode(json",
            ),
            (
                "webapp/services/fairness/sealing.py",
                "self._fernet.decrypt(sealed_seed)",
                "b64decode(sealed_seed)",
            ),
        ),
    ),
    "the seed is drawn after the cut": Mutant(
        "tests/web/hidden_cards/test_solo.py::test_the_seal_shown_before_the_cut_is_the_one_that_is_opened_at_the_end",
        (
            (
                "webapp/services/solo/play.py",
                "    _open_deck(hand, game, cut, stakes, sealed_seed, now)\n",
                "    from webapp.engine.shuffling import commitment\n"
                "    from webapp.services.core.randomness import new_seed\n"
                "    from webapp.services.fairness.sealing import sealer\n"
                "    seed = new_seed()\n"
                "    hand.commitment = commitment(seed, hand.key)\n"
                "    sealed_seed = sealer().seal(hand.key, hand.player_id, seed)\n"
                "    _open_deck(hand, game, cut, stakes, sealed_seed, now)\n",
            ),
        ),
    ),
}

MORE = {
    "hidden cards are in the view": Mutant(
        "tests/web/hidden_cards/test_solo.py::test_while_picking_the_four_hidden_cards_are_null_and_on_no_page",
        (
            (
                "webapp/engine/draw_poker/double_up.py",
                "picks = (None,) * len(hidden) if round.picked is None else tuple(hidden)",
                "picks = tuple(hidden)",
            ),
        ),
    ),
    "no lock and no compare-and-set on PostgreSQL": Mutant(
        "tests/services/solo/test_compare_and_set.py::test_of_different_moves_at_one_step_exactly_one_is_played[postgresql-25]",
        (
            ("webapp/models/hand.py", "    __mapper_args__ = ", "    _never_read = "),
            ("webapp/services/solo/rows.py", '.step == bindparam("read")', '.step > bindparam("read") - 99'),
            ("webapp/services/solo/rows.py", "query.with_for_update(of=Hand) if lock else query", "query"),
        ),
    ),
    "those who sit down neither queue nor come again": Mutant(
        "tests/services/solo/test_sit.py::test_twenty_five_who_sit_down_at_once_in_one_browser_leave_one_open_hand[postgresql-at another table]",
        (
            ("webapp/services/solo/sit.py", "            players.lock(player)\n", ""),
            ("webapp/services/solo/sit.py", "return retried(lambda: _seated(player, code, table, sealed_seeds, anew))", "return _seated(player, code, table, sealed_seeds, anew)"),
        ),
    ),
    "a clock in the session": Mutant(
        "tests/services/core/test_clock.py::test_a_cookie_signed_in_the_future_is_read[sqlite]",
        (
            ("webapp/web/request/session.py", "import lru_cache", "import lru_cache, partial"),
            ("webapp/web/request/session.py", "(serializer.loads)", "(partial(serializer.loads, max_age=34560000))"),
        ),
    ),
    "pages of other sites may act": Mutant(
        "tests/web/request/test_security.py::test_a_page_of_another_site_cannot_act",
        (("webapp/web/request/security.py", "        abort(403)", "        return"),),
    ),
    "looking expires hands": Mutant(
        "tests/web/test_looking.py::test_no_get_changes_the_database_or_sets_a_cookie[sqlite-overdue]",
        (
            (
                "webapp/services/solo/reading.py",
                "    hand = open_hand(player, code) if player else None\n    if hand is not None and not",
                "    from webapp.services.solo.expiry import close_overdue\n\n    close_overdue()\n    db.session.commit()\n"
                "    hand = open_hand(player, code) if player else None\n    if hand is not None and not",
            ),
        ),
    ),
    "the hole card is in the view": Mutant(
        "tests/web/hidden_cards/test_hole_card.py::test_no_answer_shows_a_card_that_is_not_turned_nor_ever_the_seed[vegas]",
        (("webapp/engine/games/blackjack/view.py", "state.dealer if over else state.dealer[:1]", "state.dealer"),),
    ),
    "the banker's hidden card is in the view": Mutant(
        "tests/web/hidden_cards/test_shared_table.py::test_no_answer_to_anybody_shows_a_hidden_card_or_the_seed",
        (("webapp/engine/games/table21/view.py", "hidden = bank and not state.turned", "hidden = False"),),
    ),
    "the banker's hidden card is pushed": Mutant(
        STREAMS,
        (("webapp/engine/games/table21/view.py", "hidden = bank and not state.turned", "hidden = False"),),
    ),
    "a step with a card is added to what is pushed": Mutant(
        STREAMS,
        (
            (
                "webapp/web/templating/parts.py",
                "{self.parts[name]}</hx-partial>",
                """{self.parts[name]}<template data-step='0'><use href='#c-As'/></template></hx-partial>""",
            ),
        ),
    ),
    "a card is named in the tag of what is pushed": Mutant(
        STREAMS,
        (
            (
                "webapp/web/templating/parts.py",
                "{self.parts[name]}</hx-partial>",
                """{self.parts[name].replace('data-say="', 'data-say="ace of spades ')}</hx-partial>""",
            ),
        ),
    ),
    "watchers are pushed the view of a seat": Mutant(
        STREAMS,
        (
            (
                "webapp/web/push.py",
                "room_of(table, viewpoint.player, viewpoint.root)",
                "room_of(table, viewpoint.player or table.seats[0].holder, viewpoint.root)",
            ),
        ),
    ),
    "a stream says a card beside its events": Mutant(
        STREAMS,
        (("webapp/web/stream.py", 'return f"{again}event', 'return f": As\\n{again}event'),),
    ),
    "a double and a split are free": Mutant(
        "tests/services/solo/test_later_bets.py::"
        "test_chips_in_the_purse_and_on_the_table_are_as_many_as_before_but_for_what_is_paid",
        (("webapp/services/solo/play.py", 'f"raise-{step}", cost, now', 'f"raise-{step}", 0, now'),),
    ),
    "every round cuts the shoe anew": Mutant(
        "tests/services/solo/test_shoes.py::"
        "test_rounds_come_from_one_shoe_until_the_cut_card_and_then_all_of_them_are_proved[sqlite-single]",
        (("webapp/services/solo/play.py", "cut = owner.cut or cut or SILENT", "cut = cut or SILENT"),),
    ),
    "a shoe that nobody comes back to stays shut": Mutant(
        "tests/services/solo/test_shoes.py::"
        "test_a_shoe_whose_player_never_comes_back_opens_after_a_day[sqlite-between rounds]",
        (("webapp/services/solo/sit.py", "            close_overdue_shoes()\n", ""),),
    ),
    "a shoe opens with its first round": Mutant(
        "tests/services/solo/test_shoes.py::test_a_round_with_a_fresh_deck_in_between_does_not_touch_the_shoe[sqlite]",
        (("webapp/services/solo/play.py", "if is_spent(owner, game):", "if True:"),),
    ),
    "a forfeited hand stays hidden": Mutant(
        "tests/services/solo/test_expiry.py::test_a_hand_without_a_move_for_a_day_is_forfeited_and_revealed[sqlite-ask]",
        (("webapp/services/solo/expiry.py", "hand.revealed_seed, hand.sealed_seed = unseal_seed(hand.sealed_seed, hand).hex(), None", "pass"),),
    ),
    "a saved cookie deals a hand again": Mutant(
        "tests/services/solo/test_deck_in_cookie.py::test_nothing_is_dealt_from_an_old_cookie_that_was_ever_dealt_or_replaced[sqlite-poker]",
        (("webapp/services/solo/undealt.py", "    Purse.hands == Hand.seq,\n", ""),),
    ),
    "a late cut opens a shoe in use": Mutant(
        "tests/services/solo/test_deck_in_cookie.py::test_it_reveals_no_shoe_that_is_still_dealt_from[sqlite]",
        (("webapp/services/solo/undealt.py", "has_seed and is_closed", "has_seed"),),
    ),
    "the cookie holds the first deck alone": Mutant(
        "tests/services/solo/test_deck_in_cookie.py::test_the_cookie_holds_the_deck_at_every_moment[sqlite-joker]",
        (("webapp/blueprints/play.py", "if board.next is not None:", "if False:"),),
    ),
    "the sealed seed in the row is never read": Mutant(
        "tests/services/solo/test_play.py::test_a_late_cookie_of_another_tab_that_lacks_the_box_does_no_harm[sqlite-poker]",
        (("webapp/services/fairness/sealing.py", "sealed_seeds.get(owner.key, owner.sealed_seed), owner)", "sealed_seeds.get(owner.key), owner)"),),
    ),
    "errors speak": Mutant(
        "tests/web/test_errors.py::test_a_failure_is_500_with_a_reference_that_is_also_in_the_log",
        (("webapp/web/errors.py", "error=type(error).__name__", "error=repr(error)"),),
    ),
    "a failure keeps half a move": Mutant(
        "tests/web/test_errors.py::test_a_failure_in_the_middle_of_a_move_leaves_nothing_behind[sqlite]",
        (("webapp/services/core/database.py", "            except BaseException:\n                db.session.rollback()", "            except BaseException:\n                db.session.commit()"),),
    ),
}  # fmt: skip


def copy_to(folder: Path) -> Path:
    for name in ("webapp", "templates", "tests", "static"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "artifacts", "bench"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def run(folder: Path, *tests: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    environ = {**clean, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True)


def require_noticed(mutant: Mutant, folder: Path) -> None:
    for name, old, new in mutant.changes:
        path = folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name} has changed: this mutant has to be written anew"
        path.write_text(text.replace(old, new), encoding="utf-8")
    done = run(folder, mutant.noticed_by)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "failed" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize("name", [*MUTANTS, *MORE])
def test_what_a_mutant_changes_and_the_test_that_notices_are_there(name: str) -> None:
    mutant = {**MUTANTS, **MORE}[name]
    for path, old, _ in mutant.changes:
        assert old in (ROOT / path).read_text(encoding="utf-8"), (
            f"{path} has changed: this mutant has to be written anew"
        )
    path, _, test = mutant.noticed_by.partition("::")
    assert f"def {test.partition('[')[0]}(" in (ROOT / path).read_text(encoding="utf-8")


# Each of these breaks a copy of the site and expects a failure with random hands, which takes minutes.


@pytest.mark.soak
def test_the_copy_that_is_not_broken_passes(tmp_path: Path) -> None:
    tests = {mutant.noticed_by for mutant in MUTANTS.values()}
    done = run(copy_to(tmp_path), *tests)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(tests)} passed" in done.stdout


@pytest.mark.soak
@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_site_is_noticed(tmp_path: Path, name: str) -> None:
    require_noticed(MUTANTS[name], copy_to(tmp_path))


@pytest.mark.soak
@pytest.mark.parametrize("name", MORE)
def test_other_broken_sites_are_noticed(tmp_path: Path, name: str, request: pytest.FixtureRequest) -> None:
    if "postgresql" in MORE[name].noticed_by:
        request.getfixturevalue("pg_url")
    require_noticed(MORE[name], copy_to(tmp_path))
