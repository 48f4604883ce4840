"""The word "blackjack" is used where a blackjack decides."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from tests.support import blackjack_rounds, table21_rounds
from tests.support.moves import dealt
from tests.support.player import Player
from webapp.engine.games import GAMES
from webapp.engine.label import Label
from webapp.web.i18n.messages import say

Render = Callable[..., str]


@pytest.fixture
def rendered(site: Flask) -> Render:
    """Return the text of a template macro, without markup."""

    def render(template: str, call: str, **values: Any) -> str:
        with site.test_request_context(headers={"Accept-Language": "en"}):
            source = f'{{% import "{template}" as macros %}}{{{{ macros.{call} }}}}'
            written = site.jinja_env.from_string(source).render(**values)
        return " ".join(re.sub(r"<[^>]*>", "", written).split())

    return render


def _seen(cards: str, *moves: str, **kinds: Any) -> dict[str, Any]:
    view = blackjack_rounds.seen(cards, *moves, **kinds)
    return {"view": view, "rules": GAMES["blackjack"].rules(kinds.get("table", "vegas")), "order": view.deal_order}


@pytest.mark.parametrize(
    ("cards", "moves", "kinds", "sentence"),
    [
        ("Tc Kc Qh 5d 7s 6d Ac", ("hit", "stand"), {"table": "european", "stakes": (10, 10)}, "has blackjack."),
        ("Tc Ad 8h Kd", ("insure",), {}, "The dealer has blackjack."),
        ("7c Kc 7h 7d Ac", ("hit",), {"table": "european"}, "A blackjack beats every other 21."),
        ("Tc Kc 8h Ac", (), {}, "Your 18 against a blackjack."),
        ("Ac Kc Kh Ad", (), {}, "Blackjack against blackjack."),
        ("7c Kc 3h Ad", ("stand",), {"table": "classic", "stakes": ()}, "The dealer has blackjack."),
    ],
)
def test_the_sentence_says_that_the_dealer_has_blackjack(
    rendered: Render, cards: str, moves: tuple[str, ...], kinds: dict[str, Any], sentence: str
) -> None:
    said = rendered("games/blackjack/verdict.html", "of(view, rules, order)", **_seen(cards, *moves, **kinds))
    assert said.endswith(sentence)


@pytest.mark.parametrize("kinds", [{}, {"table": "classic", "stakes": ()}])
def test_a_dealer_over_21_is_said_to_be(rendered: Render, kinds: dict[str, Any]) -> None:
    """Once it was "Your 17 against the dealer's 23", as if 23 were more."""
    seen = _seen("Tc 6d 7h Kc 7d", "stand", **kinds)
    said = rendered("games/blackjack/verdict.html", "of(view, rules, order)", **seen)
    assert said.endswith("The dealer went over 21 with 23.")


def test_the_dealers_cards_are_called_blackjack_and_a_drawn_21_is_not(rendered: Render) -> None:
    called = [
        rendered("games/blackjack/pile.html", "dealer(view, rules, order)", **_seen(cards, *moves))
        for cards, moves in (("Tc Kc 8h Ac", ()), ("Tc Kc 8h 5c 6c", ("stand",)))
    ]
    assert called == ["Dealer 21 Blackjack", "Dealer 21"]


def test_a_bank_at_table_21_is_said_to_have_blackjack(rendered: Render) -> None:
    """The player's 21 has three cards."""
    state = table21_rounds.play("7c Kc 7h Ac 7d", "hit@1")
    bank, player = (table21_rounds.TABLE.view(state, None).seats[seat] for seat in (0, 1))
    assert rendered("games/table21/seat.html", "hands(seat, 0, 2, true)", seat=bank).endswith("Blackjack +10")
    assert rendered("games/table21/seat.html", "hands(seat, 0, 2, true)", seat=player).endswith("Lost −10")
    assert [label.code for label in state.said][-2:] == ["BANK_BLACKJACK", "BANK_WON"]


def test_a_blackjack_of_the_bank_is_hidden_until_it_is_turned() -> None:
    view = table21_rounds.seen("7c Kc 7h Ac 7d")
    assert [hand.natural for seat in view.seats for hand in seat.hands] == [False, False]


@pytest.mark.parametrize(("cards", "is_told"), [("Ac 5d 5h 9s", True), ("Tc 5d 5h 9s", False)])
def test_a_newcomer_with_an_ace_is_told_how_it_counts(site: Flask, cards: str, is_told: bool) -> None:
    with site.test_request_context(headers={"Accept-Language": "en"}):
        whisper = site.jinja_env.get_template("games/blackjack/_whisper.html").render(**_seen(cards))
    assert ("The ace counts 11 or 1." in whisper) == is_told


def test_a_round_of_several_hands_is_said_to_its_player(site: Flask) -> None:
    with site.test_request_context(headers={"Accept-Language": "en"}):
        ends = (("WON", 300), ("LOST", -300), ("EVEN", 0))
        said = [say(Label.of(f"ROUND_{end}", net=net)) for end, net in ends]
    assert said == ["You win 300", "You lose 300", "You break even"]


def test_whoever_opens_another_table_while_a_hand_is_open_is_told(app: Flask) -> None:
    player = Player(app.test_client())
    dealt(player, game="blackjack", table="classic", stakes=())
    while player.over:
        dealt(player, game="blackjack", table="classic", stakes=())
    page = {"Accept": "text/html", "HX-Request": "true"}
    said = "Your hand here is still open."
    assert said in player.get("/play/blackjack?table=vegas", **page).text
    assert said in player.post("/play/blackjack", [("table", "vegas")], **page).text
    for path in ("/play/blackjack", "/play/blackjack?table=classic"):
        assert said not in player.get(path, **page).text
    assert said not in player.post("/play/blackjack", **page).text


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        ((), "Box 1: 14. Box 2: 18. Box 3: 12. Box 1: your turn."),
        (("hit",), "Drawn: five of clubs. Box 1: 19."),
        (("hit", "hit"), "Drawn: nine of clubs. Box 1: 28. Box 2: 18."),
        (("hit", "hit", "stand"), "Box 3: 12."),
    ],
)
def test_totals_of_several_boxes_are_spoken_with_the_names_of_their_boxes(
    rendered: Render, moves: tuple[str, ...], told: str
) -> None:
    view = blackjack_rounds.seen("7c Kc 5h 6d 7h 8c 7d Td 5c 9c", *moves, stakes=(10, 10, 10))
    said = rendered("games/blackjack/say.html", "round(view)", view=view)
    assert said.endswith(told)
    assert "You have" not in said


def test_totals_of_split_hands_are_spoken_with_their_names(rendered: Render) -> None:
    cards = "8c 6d 8h Td Kc 9c 5h"
    view = blackjack_rounds.seen(cards, "split")
    said = rendered("games/blackjack/say.html", "round(view)", view=view)
    assert said == "Drawn: king of clubs. Hand 1 of 2: 18."
    view = blackjack_rounds.seen(cards, "split", "stand")
    said = rendered("games/blackjack/say.html", "round(view)", view=view)
    assert said == "Drawn: nine of clubs. Hand 2 of 2: 17."
