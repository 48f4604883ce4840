"""Random evenings: players sit, deal, bet, act, repeat requests, come late and try each other's hands.

A model beside the site knows no cards, only which moves were accepted and what was paid.
"""

from contextlib import ExitStack
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.support.app import forget
from tests.support.chance import drawn_for
from tests.support.cookies import content_of, cookie_of, send_from_now_on, signed
from tests.support.player import Player
from tests.support.rows import findings, tamper
from webapp.engine.games import SOLO
from webapp.extensions import Base, db
from webapp.models import OPEN, Hand, LedgerEntry, Purse, Shoe

DAY = 24 * 3600 * 1000
WHO = st.integers(0, 2)
CUTS = st.sampled_from(["", "a-cut", "another", "-", "no cut"])
VERBS = st.sampled_from(
    ["hold", "double", "collect", "pick", "deal", "split", "stand", "insure", "surrender", "nonsense"]
)
CHIPS = st.sampled_from([0, 1, 10, 60, 100, 101, 400, 1000])
STAKES = st.one_of(CHIPS.map(lambda chips: [chips]), st.lists(CHIPS, max_size=4))
TABLES = {"blackjack": ["vegas", "single", "single,penetration=0.5,surrender=late", "european", "classic"]}
ARGS = st.lists(st.integers(0, 6), max_size=6)
RAISES = ("double", "split", "insure")
"""Moves that cost chips of their own: chance alone comes to them too seldom."""
WHOLE = 12
"""Moves after which nearly every hand is over."""


class Site(RuleBasedStateMachine):
    def __init__(self, app: Flask, game: str) -> None:
        super().__init__()
        self.app, self.game = app, game
        self.chance = ExitStack()
        forget(app)
        with app.app_context():
            for table in reversed(Base.metadata.sorted_tables):
                db.session.execute(table.delete())
            db.session.commit()
            db.session.remove()
        self.players = [Player(app.test_client()) for _ in range(3)]
        self.sent: list[list[tuple[str, str, tuple[int, ...], int]]] = [[], [], []]
        self.moves: dict[str, list[str]] = {}

    @initialize(evening=st.integers(0, 10**6))
    def begins(self, evening: int) -> None:
        # Hypothesis needs the same cards whenever it repeats an evening, or a part of it
        self.chance.enter_context(drawn_for(f"evening {evening} of {self.game}"))

    def teardown(self) -> None:
        self.chance.close()

    # What they do.

    @rule(who=WHO, table=st.integers(0, 7))
    def sits_down(self, who: int, table: int) -> None:
        player, tables = self.players[who], TABLES.get(self.game, [SOLO[self.game].spec.default])
        player.sit(self.game, tables[table % len(tables)])
        assert player.status in (200, 201)
        self.moves.setdefault(player.hand, [])

    @rule(who=WHO, cut=CUTS, stakes=STAKES)
    def cuts_and_deals(self, who: int, cut: str, stakes: list[int]) -> None:
        player = self.players[who]
        if not player.board:
            return
        was, is_staked = player.board["status"], player.board["rules"].get("bets") is not None
        said = player.deal(cut, stakes if is_staked else [])
        if cut in ("-", "no cut"):
            assert (player.status, said["error"]) == (422, "bad-cut")
        elif player.status == 200:
            # after a day away, the shoe may have been closed, and a hand that was not dealt is void then
            assert (said["note"] is None) == (was == "ready" and said["status"] != "void")
            if said["note"] is None:  # who has staked all chips cannot take insurance
                self.moves[player.hand] = ["decline"] * said["step"]
        elif player.status == 409:
            assert said["error"] == "box-lost"
        else:
            assert is_staked
            assert (player.status, said["error"]) in ((422, "bad-stake"), (422, "purse-too-small"))

    @rule(who=WHO, choice=st.randoms(use_true_random=False))
    def plays_on(self, who: int, choice: Any) -> None:
        player = self.players[who]
        if not player.actions or player.board["status"] != "live":
            return
        verb, *args = choice.choice(player.actions).split("-")
        self.send(who, player.hand, verb, tuple(map(int, args)), player.step)

    @rule(who=WHO, table=st.integers(0, 7), stakes=STAKES, choice=st.randoms(use_true_random=False))
    def plays_a_whole_hand(self, who: int, table: int, stakes: list[int], choice: Any) -> None:
        self.sits_down(who=who, table=table)
        self.cuts_and_deals(who=who, cut="a-cut", stakes=stakes)
        player = self.players[who]
        for _ in range(WHOLE):
            raises = [action for action in player.actions if action in RAISES]
            if raises and player.board["status"] == "live" and choice.random() < 0.5:
                self.send(who, player.hand, choice.choice(raises), (), player.step)
            else:
                self.plays_on(who=who, choice=choice)

    @rule(who=WHO, verb=VERBS, args=ARGS, back=st.integers(-1, 3))
    def does_anything(self, who: int, verb: str, args: list[int], back: int) -> None:
        player = self.players[who]
        if player.board:
            self.send(who, player.hand, verb, tuple(args), max(0, player.step - back))

    @rule(who=WHO, which=st.integers(0, 30))
    def repeats_an_old_request(self, who: int, which: int) -> None:
        if self.sent[who]:
            hand, verb, args, step = self.sent[who][which % len(self.sent[who])]
            self.send(who, hand, verb, args, step)

    @rule(who=WHO, other=WHO, verb=VERBS)
    def tries_anothers_hand(self, who: int, other: int, verb: str) -> None:
        if who != other and self.players[other].board:
            hand = self.players[other].hand
            self.players[who].post(
                f"/play/{self.game}/{hand}/{self.players[other].step}", [("verb", verb), ("arg", "1")]
            )
            assert self.players[who].status == 404

    @rule(who=WHO)
    def loses_the_box(self, who: int) -> None:
        player = self.players[who]
        if cookie_of(player):
            content = content_of(self.app, cookie_of(player))
            send_from_now_on(player, signed(self.app, {"player": content["player"]}))

    @rule(who=WHO)
    def stays_away_for_a_day(self, who: int) -> None:
        player = self.players[who]
        if player.board:
            tamper(
                self.app, "UPDATE hand SET moved_at = moved_at - :s WHERE key = :key", s=DAY + 60_000, key=player.hand
            )
            if player.board["shoe"]:
                tamper(
                    self.app,
                    "UPDATE shoe SET moved_at = moved_at - :s WHERE key = (SELECT shoe_key FROM hand WHERE key = :key)",
                    s=DAY + 60_000,
                    key=player.hand,
                )

    @rule(who=WHO)
    def looks(self, who: int) -> None:
        player = self.players[who]
        player.look(self.game)
        assert player.status == 200
        if player.board["hand"] is None:
            player.board = {}

    def send(self, who: int, hand: str, verb: str, args: tuple[int, ...], step: int) -> None:
        player = self.players[who]
        said = player.act(verb, *args, step=step, hand=hand)
        self.sent[who].append((hand, verb, args, step))
        if player.status == 200 and said["note"] is None and verb != "deal":
            assert step == len(self.moves[hand]), "a step is played once, and in its turn"
            self.moves[hand].append("-".join([verb, *map(str, sorted(args))]))
        if player.status == 200 and said["note"] == "repeated" and verb != "deal":
            assert self.moves[hand][step] == "-".join([verb, *map(str, sorted(args))])
        if player.status == 404:
            with self.app.app_context():
                assert db.session.get(Hand, hand) is None and not self.moves[hand], "never dealt, and given up since"
                db.session.remove()
        else:
            assert player.status in (200, 409, 422)

    # What always holds.

    @invariant()
    def the_books_are_right(self) -> None:
        assert findings(self.app) == []

    @invariant()
    def the_rows_are_what_was_accepted(self) -> None:
        with self.app.app_context():
            hands = db.session.query(Hand).order_by(Hand.player_id, Hand.seq).all()
            numbers: dict[str, list[int]] = {}
            paid: dict[str, int] = {}
            for hand in hands:
                assert hand.moves.split() == self.moves.get(hand.key, [])
                assert (hand.revealed_seed is not None) == (
                    hand.status not in OPEN and hand.cut is not None and hand.shoe_key is None
                )
                if hand.seq:  # the prepared one has its number when it is dealt
                    numbers.setdefault(hand.player_id, []).append(hand.seq)
                payouts = sum(map(int, (hand.payouts or "0").split(",")))
                paid[hand.player_id] = paid.get(hand.player_id, 0) + payouts
            for found in numbers.values():
                assert found == list(range(1, len(found) + 1))
            for player in {hand.player_id for hand in hands}:
                assert sum(hand.player_id == player and hand.status in OPEN for hand in hands) <= 1
            for shoe in db.session.query(Shoe):
                assert (shoe.revealed_seed is not None) == (shoe.closed_at is not None and shoe.cut is not None)
                assert shoe.closed_at is not None or all(
                    hand.status == "done" or hand.status in OPEN or hand.cut is None
                    for hand in hands
                    if hand.shoe_key == shoe.key
                )
            for purse in db.session.query(Purse):
                assert purse.balance >= 0
                entries = db.session.query(LedgerEntry).filter_by(player_id=purse.player_id).all()
                assert purse.balance == sum(entry.amount for entry in entries)
                assert paid[purse.player_id] == sum(e.amount for e in entries if e.reason == "payout")
            db.session.remove()


@pytest.mark.parametrize("game", SOLO)
def test_whatever_players_do_the_books_are_right(app: Flask, game: str) -> None:
    run_state_machine_as_test(
        lambda: Site(app, game),
        settings=settings(
            max_examples=max(8, settings.default.max_examples // 6),
            stateful_step_count=20,
            suppress_health_check=list(HealthCheck),
        ),
    )
