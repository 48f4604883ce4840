"""Hands in every state that a test wants to see.

Hands in test_evening.py are random. Where one state is wanted, this module searches for a seed that leads to it and
plays the hand through the site's own routes, on the server's database and with its key. A browser that receives the
cookie then has that hand.

    dealer.seat(page, "tied")           # shared by all tests: to be looked at
    hand = dealer.seat(page, "tied", fresh=True)
    page.goto(hand.table)
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Self
from unittest.mock import patch
from urllib.parse import urlencode

from flask import Flask
from playwright.sync_api import Page

from tests.support.app import close, make_app
from tests.support.cookies import COOKIE, cookie_of
from tests.support.player import Player
from tests.support.server import Server
from webapp.engine.action import ALONE, Action
from webapp.engine.game import Setup
from webapp.engine.games import GAMES
from webapp.engine.shuffling import ShuffledPacks

POKER: Any = GAMES["poker"]
CUT = "stacked"
DAYS = 24 * 3600 * 1000


@dataclass(frozen=True)
class Scene:
    """A state of a hand.

    ``made`` is the hand after the exchange, empty if nothing is exchanged; then come the rounds of the double-up, and
    the last ``action``. ``kept``: the held cards, if not those that make pairs. ``ahead``: number of these moves that
    are left to the visitor.
    """

    made: str = ""
    rounds: tuple[str, ...] = ()
    action: str = ""
    kept: tuple[int, ...] | None = None
    marks: tuple[int, ...] = ()
    ahead: int = 0
    up: str = ""
    """Rank of the open card of the last round, where it matters."""


SCENES = {
    "dealt": Scene(),
    "marked": Scene(marks=(2, 4)),
    "asked": Scene("TWO_PAIR"),
    "picking": Scene("ONE_PAIR", action="double"),
    "won": Scene("THREE_OF_A_KIND", ("win",)),
    "tied": Scene("ONE_PAIR", ("tie",)),
    "nothing": Scene("NOTHING"),
    "collected": Scene("FULL_HOUSE", action="collect"),
    "doubled": Scene("ONE_PAIR", ("win", "tie", "win"), "collect"),
    "lost": Scene("TWO_PAIR", ("win", "lose")),
    "limit": Scene("THREE_OF_A_KIND", ("win",) * 10),
    "forfeited": Scene(marks=(1,)),
    "will be nothing": Scene("NOTHING", kept=(1, 2), ahead=1),
    "will be a pair": Scene("ONE_PAIR", kept=(1, 2), ahead=1),
    "dealt a pair": Scene("ONE_PAIR", kept=(1, 2, 3, 4, 5), ahead=1),
    "dealt a full house": Scene("FULL_HOUSE", kept=(1, 2, 3, 4, 5), ahead=1),
    "dealt nothing": Scene("NOTHING", kept=(1, 2, 3, 4, 5), ahead=1),
    "ace up": Scene("ONE_PAIR", action="double", up="A"),
    "will be doubled": Scene("TWO_PAIR", ("win",), "collect", ahead=3),
}
PAGES = {
    "lobby": "/",
    "my career": "/me",
    "my hands": "/me/hands",
    "my decisions": "/me/decisions",
    "my settings": "/me/settings",
    "rules": "/rules/poker",
    "fair": "/fair",
    "about": "/about",
    "not there": "/nothing-here",
    "daily": "/daily",
    "drill": "/drill/poker?spot=drill",
    "drill of blackjack": "/drill/blackjack?spot=drill",
    "puzzle": "",
}
PLAYING = ("dealt", "marked", "asked", "picking", "won", "tied")
OVER = ("nothing", "collected", "doubled", "lost", "limit", "forfeited")
TABLE = ("empty", "sealed", *PLAYING, *OVER)
FINISHED = tuple(f"page of {scene}" for scene in OVER)
EVERYWHERE = (*TABLE, *FINISHED, *PAGES)


@dataclass(frozen=True)
class Hand:
    """A hand, the cookie of its player, and the moves that are left to the visitor."""

    key: str
    cookie: str
    over: bool
    to_come: tuple[str, ...] = ()

    @property
    def table(self) -> str:
        return f"/play/poker?hand={self.key}" if self.over else "/play/poker"

    @property
    def page(self) -> str:
        return f"/h/{self.key}"


@dataclass
class Dealer:
    app: Flask
    url: str
    test: str = ""
    """The one that is running: what is dealt afresh to it is the same in every run, whichever tests came before."""
    _known: dict[str, Hand] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=count)

    def serve(self, test: str) -> Self:
        """Deal for this test from now on."""
        self.test, self._numbers = test, count()
        return self

    @classmethod
    @contextmanager
    def of(cls, server: Server) -> Iterator[Self]:
        app = make_app(f"sqlite:///{server.instance / 'tefuda.sqlite3'}", server.instance)
        yield cls(app, server.url)
        close(app)

    def seat(self, page: Page, scene: str, fresh: bool = False) -> Hand:
        """Give this browser the hand of a scene. Without ``fresh`` the hand is shared and must not be changed."""
        if fresh:
            hand = self.play(Player(self.app.test_client()), scene)
        elif scene in self._known:
            hand = self._known[scene]
        else:
            hand = self._known[scene] = self.play(Player(self.app.test_client()), scene, owner="everybody")
        self.give(page, hand)
        return hand

    def give(self, page: Page, hand: Hand) -> None:
        page.context.add_cookies([{"name": COOKIE, "value": hand.cookie, "url": self.url}])

    def prefer(self, page: Page, **preferences: str) -> None:
        """Set preferences as the page of settings does: ``prefer(page, language="ja", deal="cut")``."""
        page.context.add_cookies([{"name": "prefs", "value": urlencode(preferences), "url": self.url}])

    def regular(self, page: Page) -> Hand:
        """Give this browser a player with finished hands and an open one."""
        if "regular" not in self._known:
            player = Player(self.app.test_client())
            scenes = ("collected", "nothing", "lost", "doubled", "forfeited", "nothing", "dealt")
            hands = [self.play(player, scene, owner=f"regular {number}") for number, scene in enumerate(scenes)]
            self._known["regular"] = hands[-1]
        self.give(page, self._known["regular"])
        return self._known["regular"]

    def show(self, page: Page, where: str) -> None:
        """Open one of EVERYWHERE. For "sealed" the browser has to prefer ``deal="cut"``."""
        if where in SCENES:
            page.goto(self.seat(page, where).table)
        elif where in FINISHED:
            page.goto(self.seat(page, where.removeprefix("page of ")).page)
        elif where == "puzzle":
            page.goto(self.seat(page, "doubled").page + "?ask=0")
        elif where in PAGES:
            self.regular(page)
            page.goto(PAGES[where])
        else:
            page.context.clear_cookies(name=COOKIE)
            if where == "sealed":
                player = Player(self.app.test_client())
                player.sit("poker")
                self.give(page, Hand(player.hand, cookie_of(player), over=False))
            page.goto("/play/poker")

    def play(self, player: Player, name: str, owner: str = "") -> Hand:
        """Play a hand of this player up to the scene. The cards depend on ``owner``, by default the test."""
        scene = SCENES[name]
        key = hashlib.sha256(f"{name} {owner or (self.test, next(self._numbers))}".encode()).hexdigest()[:10]
        seed, moves = _stacked(key, scene)
        self._forget_prepared(player)
        with (
            patch("webapp.services.solo.prepared.new_seed", lambda: seed),
            patch("webapp.services.solo.prepared.new_key", lambda: key),
        ):
            player.sit("poker")
        player.deal(CUT)
        assert player.hand == key
        notes = [str(move) for move in moves]
        played = len(notes) - scene.ahead
        for note in notes[:played]:
            player.do(note)
            assert player.status == 200
        for position in scene.marks:
            player.act("mark", position)
        if name == "forfeited":
            self._leave(player)
        return Hand(key, cookie_of(player), name in OVER, tuple(notes[played:]))

    @contextmanager
    def _rows(self) -> Iterator[tuple[Any, Any]]:
        """Open a write transaction of the site; yield its session and the class of hands."""
        from webapp.models import Hand as Row
        from webapp.services.core.database import writing

        with self.app.app_context(), writing() as session:
            yield session, Row

    def _forget_prepared(self, player: Player) -> None:
        """Drop the hand that the site has prepared after the last one."""
        if not player.board:
            return
        with self._rows() as (session, row):
            owner = session.get_one(row, player.hand).player_id
            session.query(row).filter_by(player_id=owner, seq=0).delete()

    def _leave(self, player: Player) -> None:
        """Set the hand's times back by two days; the site closes it when the next visitor comes."""
        with self._rows() as (session, row):
            session.get_one(row, player.hand).moved_at -= 2 * DAYS
        Player(self.app.test_client()).sit("poker")


def _stacked(key: str, scene: Scene) -> tuple[bytes, list[Action]]:
    """Return a seed for this hand, and the moves that lead to the scene."""
    for number in count():
        seed = hashlib.sha256(f"{key}{number}".encode()).digest()
        moves = _way(key, seed, scene)
        if moves is not None:
            return seed, moves
    raise AssertionError


def _way(key: str, seed: bytes, scene: Scene) -> list[Action] | None:
    packs = ShuffledPacks(seed, key, (CUT,), POKER.packs("quest"))
    state = POKER.start(Setup("quest", (), packs))
    if not {"d", "h", "s"} <= {str(card)[1] for card in state.hand}:
        return None
    moves: list[Action] = []

    def do(verb: str, *args: int) -> None:
        nonlocal state
        moves.append(Action(ALONE, verb, args))
        state = POKER.apply(state, moves[-1])

    if scene.made:
        ranks = [card.rank for card in state.hand]
        repeated = tuple(position for position, rank in enumerate(ranks, 1) if ranks.count(rank) > 1)
        do("hold", *(repeated if scene.kept is None else scene.kept))
        if POKER.view(state, ALONE).category != scene.made:
            return None
    for outcome in scene.rounds:
        if state.phase == "ask":
            do("double")
        open_card, *hidden = state.rounds[-1].cards
        rules = state.rules.double_up
        fitting = [n for n, card in enumerate(hidden, 1) if rules.outcome(open_card, card) == outcome]
        if not fitting:
            return None
        do("pick", fitting[0])
    if scene.action:
        do(scene.action)
    if scene.up and str(state.rounds[-1].cards[0])[0] != scene.up:
        return None
    return moves


def complaints(
    page: Page, dealer: Dealer, of: Callable[[Page, str], list[str]], places: Iterable[str] = EVERYWHERE
) -> dict[str, list[str]]:
    """Return complaints by place. One page visits all places, so that it loads the style sheets once."""
    found = {}
    for where in places:
        dealer.show(page, where)
        found[where] = of(page, where)
    return {where: wrong for where, wrong in found.items() if wrong}
