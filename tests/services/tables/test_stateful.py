"""Random evenings at a shared table.

People come, sit, bet, act, repeat requests, come late, go absent, leave, and return on another device.
"""

import time
from random import Random
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from tests.support.clock import Clock
from tests.support.pushed_pages import pushed_in
from tests.support.rows import findings
from tests.support.secret_scan import cards_in, tells_the_seed
from tests.support.streams import OpenStream
from tests.support.table_players import TablePlayer
from webapp.extensions import Base, db
from webapp.models import LedgerEntry, Purse, SharedTable, TableRound
from webapp.services.records import stored_round

WHO = st.integers(0, 3)
VERBS = st.sampled_from(
    ["sit", "ready", "bet", "hit", "stand", "double", "split", "cut", "policy", "leave", "bot", "x"]
)
ARGS = st.sampled_from(["", "0", "1", "2", "3", "4", "5", "10", "40", "200", "201", "-1", "basic", "dealer", "one"])
CUTS = st.sampled_from(["", "a-cut", "another", "-", "no cut"])


class Table(RuleBasedStateMachine):
    def __init__(self, app: Flask, clock: Clock) -> None:
        super().__init__()
        self.app, self.clock = app, clock
        with app.app_context():
            for table in reversed(Base.metadata.sorted_tables):
                db.session.execute(table.delete())
            db.session.commit()
            db.session.remove()
        self.visitors = [TablePlayer(app.test_client()) for _ in range(4)]
        self.watcher = TablePlayer(app.test_client())
        self.sent: list[list[tuple[str, str, str, int, bool]]] = [[], [], [], []]
        code = self.visitors[0].open(turn_clock=10, bet_clock=10, absent_after=30, bank_rounds=2)
        for number, visitor in enumerate(self.visitors):
            visitor.come(code)
            if number < 3:  # begin with three players, otherwise most runs would have no round
                visitor.now("sit", number)
                visitor.now("ready", cut="word")
        self.code, self.looks = code, 0
        self.streams = [OpenStream(each.line.client, code, since=1) for each in (self.visitors[0], self.watcher)]
        self.streamed = self.visitors[0].see()["version"]
        self.read_streams(self.streamed)

    def teardown(self) -> None:
        for stream in self.streams:
            stream.close()

    # What they do.

    @rule(who=WHO, seat=st.integers(0, 4))
    def sits_down(self, who: int, seat: int) -> None:
        self.send(who, "sit", str(seat))

    @rule(who=WHO, cut=CUTS)
    def is_ready(self, who: int, cut: str) -> None:
        self.send(who, "ready", "", cut)

    @rule(seed=st.integers(0, 2**16))
    def the_table_goes_on(self, seed: int) -> None:
        """Let somebody do what the table waits for; most steps are this."""
        choice = Random(seed)
        for _ in range(2):
            acting = self.watcher.come(self.code)["acting"]
            for who, visitor in enumerate(self.visitors):
                if acting is not None and visitor.you != acting:
                    continue
                visitor.see()
                wanted = [
                    verb for verb in ("bet", "hit", "stand", "double", "split") if verb in visitor.table["actions"]
                ]
                if wanted:
                    verb = choice.choice(wanted)
                    arg = str(choice.choice(visitor.table["limits"] or [0])) if verb == "bet" else ""
                    self.send(who, verb, arg, "word", look_first=False)
                    assert visitor.status == 200, visitor.answer.text
                    break

    @rule(who=WHO, verb=VERBS, arg=ARGS, cut=CUTS, fresh=st.booleans())
    def does_anything(self, who: int, verb: str, arg: str, cut: str, fresh: bool) -> None:
        self.send(who, verb, arg, cut, look_first=fresh)

    @rule(who=WHO, which=st.integers(0, 30))
    def repeats_an_old_request(self, who: int, which: int) -> None:
        if not self.sent[who]:
            return
        verb, arg, cut, version, done = self.sent[who][which % len(self.sent[who])]
        visitor = self.visitors[who]
        before = visitor.see()["version"]
        visitor.do(verb, arg, cut, version=version)
        if version != before and done and verb != "ready":  # "ready" may be repeated
            assert visitor.status in (404, 409, 422), "what was done for an old version is not done again"
        assert visitor.status in (200, 404, 409, 422)

    @rule(seconds=st.sampled_from([1, 5, 11, 35]))
    def time_passes(self, seconds: float) -> None:
        self.clock.move(seconds)

    @rule(who=WHO, seconds=st.sampled_from([12, 24]))
    def only_one_is_awake(self, who: int, seconds: float) -> None:
        self.clock.move(seconds)
        self.visitors[who].see()

    @rule(who=WHO, other=WHO)
    def takes_a_seat_over(self, who: int, other: int) -> None:
        """Take a seat over with the private link, also with a used one."""
        link = (self.visitors[other].see()["seat_link"] or "seat=nothing").partition("seat=")[2]
        self.visitors[who].see()
        self.visitors[who].do("take", link)
        assert self.visitors[who].status in (200, 404, 409, 422)

    def send(self, who: int, verb: str, arg: str, cut: str = "", look_first: bool = True) -> None:
        visitor = self.visitors[who]
        if look_first:
            visitor.see()
        version = visitor.version
        visitor.do(verb, arg, cut)
        self.sent[who].append((verb, arg, cut, version, visitor.status == 200))
        assert visitor.status in (200, 409, 422)
        if visitor.status == 200:
            assert visitor.version > version, "what was done moves the table"

    def read_streams(self, version: int) -> list[str]:
        """Read the streams up to a version of the table; return what each has sent."""
        return [stream.until(f"event: moved\ndata: {version}\n") for stream in self.streams]

    def hidden(self) -> tuple[int, str, bytes, str]:
        """Return the version of the table, key and seed of its round, and the face-down card, if any."""
        with self.app.app_context():
            table = db.session.query(SharedTable).filter_by(code=self.code).one()
            round = db.session.query(TableRound).filter_by(key=table.round_key).one()
            version, key, seed, down = table.version, round.key, stored_round.round_seed(round), ""
            if round.status == "live":
                state = stored_round.round_state(round)
                down = "" if state.turned else str(state.banker_hand.cards[1])
            db.session.remove()
            return version, key, seed, down

    # What always holds.

    @invariant()
    def the_books_are_right(self) -> None:
        assert findings(self.app) == []

    @invariant()
    def chips_are_neither_made_nor_lost(self) -> None:
        with self.app.app_context():
            purses = db.session.query(Purse).all()
            entries = db.session.query(LedgerEntry).all()
            given = sum(entry.amount for entry in entries if entry.reason == "run")
            on_the_table = -sum(entry.amount for entry in entries if entry.reason != "run")
            assert all(purse.balance >= 0 for purse in purses)
            assert sum(purse.balance for purse in purses) == given - on_the_table
            live = [round for round in db.session.query(TableRound) if round.status in ("betting", "live")]
            assert len(live) <= 1
            held = 0
            for round in live:
                if round.dealt:
                    held += sum(stored_round.round_game(round).committed(stored_round.round_state(round)))
                else:
                    held += sum(bet.stake for bet in round.bets)
            assert held == on_the_table
            db.session.remove()

    @invariant()
    def there_is_one_bank_and_no_card_is_there_twice(self) -> None:
        table = self.watcher.come(self.code)
        banks = sum(seat["banker"] for seat in table["seats"])
        if table["phase"] == "settled":  # the banker's seat may have another player by now
            assert banks <= 1
        else:
            assert banks == (table["phase"] in ("betting", "playing"))
        cards = [card for seat in table["seats"] for hand in seat["hands"] or [] for card in hand["cards"] if card]
        assert len(cards) == len(set(cards))
        assert table["acting"] is None or table["phase"] == "playing"
        assert table["deadline"] is None or table["deadline"] > table["now"] - 0.001

    @invariant()
    def no_page_shows_what_its_viewer_may_not_know(self) -> None:
        version, key, seed, down = self.hidden()
        self.looks += 1  # one looks, every other time: a page is dear
        for visitor in [(*self.visitors, self.watcher)[self.looks // 2 % 5]] if self.looks % 2 else []:
            table_page = visitor.get(f"/t/{self.code}", Accept="text/html").text
            told = visitor.get(f"/t/{self.code}")
            page_of_round = visitor.get(f"/h/{key}")
            if visitor.come(self.code)["version"] != version:
                continue  # the request carried out a deadline, so hidden cards may be open now
            assert not tells_the_seed([table_page, told.text, str(told.headers)], seed)
            room = table_page.partition('data-part="past"')[0]
            assert not down or down not in cards_in(room) | cards_in(told.text.partition('"shown"')[0])
            assert page_of_round.status == 404, "a round in play has no page"

    @invariant()
    def no_stream_sends_what_its_viewer_may_not_know(self) -> None:
        self.watcher.come(self.code)  # carry out what is overdue first
        version, _, seed, down = self.hidden()
        if version == self.streamed:
            return  # there are no events to read
        self.streamed = version
        for sent in self.read_streams(version):
            assert not tells_the_seed([sent], seed)
            for pushed in pushed_in(sent):
                now = [text for name, text in pushed.parts.items() if name != "past"]
                assert not down or down not in cards_in("\n".join(now))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_whatever_people_do_at_a_table_the_chips_and_the_cards_are_right(app: Flask, monkeypatch: Any) -> None:
    clock = Clock()
    monkeypatch.setattr(time, "time", clock)
    run_state_machine_as_test(
        lambda: Table(app, clock),
        settings=settings(
            max_examples=max(4, settings.default.max_examples // 12),
            stateful_step_count=10,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
