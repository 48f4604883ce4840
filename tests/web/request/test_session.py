"""Browsers drop cookies of more than four kilobytes, and with them the hands inside."""

from itertools import cycle
from secrets import token_bytes

import pytest
from flask import Flask, session

from tests.support.cookies import COOKIE, cookie_of, signed
from tests.support.moves import dealt, finished, sealed
from tests.support.player import Player
from tests.support.rows import findings
from webapp.engine import shuffling
from webapp.engine.cards import Card, parse_cards
from webapp.engine.games import SOLO
from webapp.engine.games.blackjack.rules import CHOICES, PRESETS, BlackjackRules, format_rules
from webapp.models import Hand, Shoe
from webapp.services.fairness.sealing import Sealer
from webapp.web.request import seed_cookie

LIMIT = 4096
EIGHT_DECKS = (
    "vegas,decks=8,penetration=0.55,soft_17=hit,lose=all,blackjack_pays=6:5,double_on=10-11,double_after_split=false,split_by=rank,"
    "resplit_aces=true,hit_split_aces=true,surrender=late,insurance=false,auto_stand_21=false,deal=pitch"
)


class Watched(Player):
    """A test client that asserts the length of every cookie that is set or sent."""

    def _ask(self, *args, **fields):
        answer = super()._ask(*args, **fields)
        assert len(answer.headers.get("set-cookie", "")) < LIMIT
        assert len(f"{COOKIE}={cookie_of(self)}") < LIMIT
        return answer


def test_a_cookie_with_everything_that_can_lie_on_the_tables_is_short_enough(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An eight-deck shoe, three boxes with four split hands each, and open hands in all other games."""
    player = Watched(app.test_client())
    for game in SOLO:
        if game != "blackjack":
            dealt(player, "x" * 64, game)
            while player.over:
                dealt(player, "x" * 64, game)
    shuffled = shuffling.shuffled

    def eights(*facts: object) -> tuple[Card, ...]:
        """Return eight decks in which the player gets only eights."""
        cards = shuffled(*facts)
        names = cycle(("8c", "8d", "8h", "8s"))
        top = [next(names) for _ in range(24)]
        rest = [card for card in cards if str(card)[0] != "8"]
        return (*parse_cards("".join([*top[:3], "6c", *top[3:6], "Ts", *top[6:]])), *rest)

    sealed(player, "blackjack", EIGHT_DECKS)
    monkeypatch.setattr(shuffling, "shuffled", eights)
    player.deal("x" * 64, (10, 10, 10))
    while "split" in player.actions or player.board["view"]["turn"][0] < 2:
        player.act("split" if "split" in player.actions else "stand")
        assert player.status == 200
    assert [len(box["hands"]) for box in player.board["view"]["boxes"]] == [4, 4, 4]
    assert len(player.board["actions"]) > 0
    tables = {game: player.look(game)["status"] for game in SOLO}
    assert set(tables.values()) == {"live"}
    player.look("blackjack")
    monkeypatch.undo()


def test_a_long_evening_at_all_tables_does_not_make_the_cookie_longer(app: Flask) -> None:
    player, lengths = Watched(app.test_client()), []
    tables = cycle(
        (("poker", None), ("blackjack", "vegas"), ("blackjack", "classic"), ("joker", None), ("blackjack", "single"))
    )
    for _ in range(25):
        game, table = next(tables)
        dealt(player, game=game, table=table, stakes=() if table == "classic" else None)
        assert player.status == 200
        finished(player)
        lengths.append(len(cookie_of(player)))
    assert max(lengths[10:]) <= max(lengths[:10]) + 16
    assert findings(app) == []


def test_what_does_not_fit_into_the_cookie_is_dealt_from_its_row(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed(alice, "poker")
    monkeypatch.setattr(seed_cookie, "LIMIT", len(cookie_of(alice)) + 100)
    for game in ("joker", "blackjack"):
        dealt(alice, game=game)
        assert alice.status == 200
        assert len(cookie_of(alice)) <= seed_cookie.LIMIT
    assert alice.look("poker")["status"] == "ready"
    assert alice.deal("cut")["status"] == "live"
    finished(alice)
    assert findings(app) == []


def test_four_open_hands_with_four_shoes_and_the_next_of_each_fit(site: Flask) -> None:
    """More than all games have: a game has one open hand or a prepared one, and one open shoe."""
    sealer, player = Sealer(["a key"]), "p" * 16
    with site.test_request_context():
        session["player"], session["session"] = player, 2**30
        held: dict[str, str | None] = {}
        for number in range(16):
            key = f"hand{number:06}"
            held[key] = sealer.seal(key, player, token_bytes(32), after=f"last{number:06}")
            seed_cookie.hold(held)
            if len(session["box"]) == number:
                break
        assert number >= 4 * 3
        held["x" * 10] = sealer.seal("x" * 10, player, token_bytes(32))
        seed_cookie.hold(held)
        assert "x" * 10 in session["box"], "the newest is held"
        response = site.response_class()
        site.session_interface.save_session(site, session, response)
        assert len(signed(site, dict(session))) <= 3800
        assert 3400 < len(response.headers["Set-Cookie"]) < LIMIT


def test_the_longest_rules_fit_into_their_column() -> None:
    longest = []
    for preset, rules in PRESETS.items():
        chosen = {
            name: max((c for c in choices if c != getattr(rules, name)), key=lambda choice: len(str(choice)))
            for name, choices in CHOICES.items()
        }
        fixed = {name: getattr(rules, name) for name in ("naturals", "fresh_deck", "bets")}
        longest.append(format_rules(BlackjackRules(**chosen, **fixed), preset))
    assert max(map(len, longest)) <= Hand.variant.type.length == Shoe.variant.type.length
