"""How far off counts are: the latest answers beside those before."""

from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.clock import Clock
from tests.support.moves import dealt
from tests.support.player import Player
from tests.support.rows import findings, row
from webapp.services.operations import personal_data
from webapp.services.review.counting_progress import Progress, note_count, progress_of
from webapp.services.review.ratings import ratings_of

ANSWERS = 30


def test_progress_compares_twenty_answers_with_those_before() -> None:
    found = Progress("deck", [5.0] * 3 + [2.0] * 20 + [0.0] * 15 + [1.0] * 5)
    assert (found.answers, found.right) == (43, 15)
    assert (found.latest, found.before) == (0.25, 2.0)
    assert found.course == (200, 200, 0, 50)
    assert Progress("deck", [1.0] * 39).before is None
    assert Progress("deck", [1.0] * 9).course == ()


def test_answers_are_kept_drill_by_drill_and_are_no_rating(clock: Clock, app: Flask, alice: Player) -> None:
    dealt(alice)
    (player,) = row(app, "SELECT id FROM player")
    with app.app_context():
        assert progress_of(player) == ()
        for number in range(ANSWERS):
            clock.move(1)
            note_count(player, "deck", f"a-{number}", number % 2)
            note_count(player, "deck", f"a-{number}", 9)
        note_count(player, "tray", "a-0", 0.5)
        note_count("nobody", "tray", "a-0", 0.5)
        deck, tray = progress_of(player)
        assert (deck.drill, deck.answers, deck.latest) == ("deck", ANSWERS, 0.5)
        assert (tray.drill, [*tray.errors]) == ("tray", [0.5])
        assert ratings_of(player) == ()
        assert progress_of(None) == ()
    assert findings(app) == []
    page = alice.get("/me/decisions", **FORMS["page"]).text
    assert f"{ANSWERS} answers, {ANSWERS // 2} exact. Lately off by 0.5 on average." in page
    assert "1 answer, 0 exact. Lately off by 0.5 on average." in page
    alice.post("/me/forget", [("sure", "1")])
    with app.app_context():
        assert progress_of(player) == ()
        assert personal_data.is_forgotten(player)
