"""Players at shared tables who repeat each request until it is answered, and record what was acknowledged."""

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event

from flask import Flask

from tests.support.retrying_players import LOST, RetryingPlayer
from tests.support.rows import all_rows
from tests.support.table_players import TablePlayer

PATIENT = {"turn_clock": 300, "bet_clock": 300, "absent_after": 600}
"""Rules under which nobody is played for: what is stored is what people have done."""
LOOKS_EVERY = 0.1
"""Seconds between two looks of somebody who waits for the others."""
LEAST = 10


@dataclass(frozen=True)
class SentCommand:
    """A command: the commitment of its round, the seat, and how often it was sent."""

    commitment: str
    seat: int
    verb: str
    tries: int


class RetryingTablePlayer(RetryingPlayer, TablePlayer):
    """A player at a shared table. ``acknowledged``: commands that were carried out.

    ``doubtful``: commands that were refused as too late when repeated, and may have been carried out the first time.
    """

    def __init__(self, urls: Sequence[str], seed: int, pace: float = 0) -> None:
        super().__init__(urls, seed, True, pace)
        self.acknowledged: list[SentCommand] = []
        self.doubtful: list[SentCommand] = []
        self.last_version = 0

    def play_until(self, stop: Event) -> None:
        while not stop.is_set():
            verb = next((verb for verb in ("bet", "stand", "ready") if verb in self.table["actions"]), None)
            if verb is None:
                time.sleep(LOOKS_EVERY)
                self._look()
            else:
                self.wait_for_pace()
                self._give("hit" if verb == "stand" and self._has_little() else verb)

    def _look(self) -> None:
        if self.get(f"/t/{self.code}?since={self.version}").status != 204:
            assert self.status == 200, self.answer.text
            self._keep()

    def _has_little(self) -> bool:
        return any(hand["active"] and hand["total"] < 13 for hand in self.seat()["hands"])

    def _give(self, verb: str) -> None:
        commitment, seat = self.table["commitment"], self.you
        assert seat is not None, "nobody has lost a seat"
        bet = (LEAST, "a-cut") if verb == "bet" else ()
        self.do(verb, *bet)
        assert self.status in (200, 409), self.answer.text
        given = SentCommand(commitment, seat, verb, self.tries)
        if self.status == 200:
            self.acted.append(time.monotonic())
            self.acknowledged.append(given)
            assert self.version >= self.last_version
            self.last_version = self.version
        elif self.tries > 1:
            self.doubtful.append(given)


def retrying_table_players(
    urls: Sequence[str], tables: int, people: int, pace: float, failing_over: bool = True
) -> list[RetryingTablePlayer]:
    """Open tables and seat people at each of them, spread over these addresses; return the people.

    ``failing_over``: each person may use all addresses.
    """
    found = []
    for table in range(tables):
        code = ""
        for number in range(people):
            place = (table + number) % len(urls)
            known = [*urls[place:], *urls[:place]] if failing_over else [urls[place]]
            person = RetryingTablePlayer(known, 100 * table + number, pace)
            person.line.lost = 0  # until there is a cookie
            code = code or person.open(**PATIENT)
            person.come(code)
            person.now("sit", number)
            assert person.status == 200, person.answer.text
            person.line.lost = LOST
            found.append(person)
    return found


def require_commands_stored(app: Flask, people: Sequence[RetryingTablePlayer]) -> int:
    """Assert that the database contains each acknowledged command exactly once; return their number."""
    versions = dict(all_rows(app, "SELECT code, version FROM shared_table"))
    for person in people:
        assert versions[person.code] >= person.last_version
    rounds = all_rows(app, "SELECT commitment, key, banker, moves, autos FROM table_round")
    seats = defaultdict(list)
    for key, number, stake in all_rows(app, "SELECT round_key, number, stake FROM round_seat ORDER BY number"):
        seats[key].append((number, stake))
    stored = {commitment: _stored(banker, moves, autos, seats[key]) for commitment, key, banker, moves, autos in rounds}
    given, doubtful = _plays([person.acknowledged for person in people]), _plays([person.doubtful for person in people])
    for commitment, seat in given.keys() | doubtful.keys():
        asked = given[commitment, seat]
        there = stored[commitment][seat]
        assert not asked - there, f"lost at {commitment}, seat {seat}"
        assert not there - asked - doubtful[commitment, seat], f"done twice at {commitment}, seat {seat}"
    return sum(len(person.acknowledged) for person in people)


def _stored(banker: int | None, moves: str, autos: str, seats: Sequence[tuple[int, int]]) -> dict[int, Counter[str]]:
    """Return by seat how often each verb was stored in a round. All automatic actions must have been forced ones."""
    words = defaultdict[int, Counter[str]](Counter)
    assert set(autos.split()) <= {"-", "bank/forced"}, "nobody was played for"
    for number, stake in seats:
        words[number]["bet"] += number != banker and stake >= LEAST
    for move, auto in zip(moves.split(), autos.split(), strict=True):
        verb, _, place = move.partition("@")
        words[seats[int(place or 0)][0]][verb] += auto == "-"
    return words


def _plays(of_people: Sequence[Sequence[SentCommand]]) -> defaultdict[tuple[str, int], Counter[str]]:
    """Count bets and plays by round and seat. *ready* is stored only as a new version of the table."""
    words = defaultdict[tuple[str, int], Counter[str]](Counter)
    for given in (each for commands in of_people for each in commands if each.verb != "ready"):
        words[given.commitment, given.seat][given.verb] += 1
    return words
