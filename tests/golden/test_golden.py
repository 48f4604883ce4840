"""Hands as they once were, replayed. Golden hands are only ever added: what a link showed once, it shows for ever."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import pytest

from webapp.engine import notation, replay
from webapp.engine.cards import RANK_LETTERS, Rank
from webapp.engine.games import GAMES
from webapp.engine.label import Label

# So many hands were there when this was last looked at, and that is their sum.
KEPT = 16
SUM_OF_THE_KEPT = "6979653daa1f54e91a10706f7a212db31564361581c56a921f06def66af68ecb"


class Golden(NamedTuple):
    line: str
    names: tuple[str, ...]


def read() -> list[Golden]:
    text = (Path(__file__).parent / "hands.txt").read_text("ascii")
    hands: list[Golden] = []
    for line in text.splitlines():
        if line.startswith("    "):
            hands[-1] = hands[-1]._replace(names=(*hands[-1].names, line.strip()))
        elif line and not line.startswith("#"):
            hands.append(Golden(line, ()))
    return hands


def spell(label: Label) -> str:
    """``FULL_HOUSE high=Q low=7``"""
    return " ".join([label.code, *(f"{name}={_spell(value)}" for name, value in label.args)])


def _spell(value: object) -> str:
    if isinstance(value, Rank):
        return RANK_LETTERS[value - Rank.TWO]
    return "".join(map(str, value)) if isinstance(value, tuple) else str(value)


HANDS = read()


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.line[:40])
def test_a_golden_hand_is_still_played_and_paid_and_called_the_same(hand):
    record = notation.loads(hand.line)
    assert notation.dumps(record) == hand.line
    game = GAMES[record.game]
    result = game.result(replay(game, record.setup, record.moves))
    assert record.payouts == (result.payouts if result else None)
    assert hand.names == (tuple(map(spell, result.labels)) if result else ())


def test_golden_hands_are_only_ever_added():
    kept = "\n".join("\n".join([hand.line, *hand.names]) for hand in HANDS[:KEPT])
    assert len(HANDS) >= KEPT
    assert hashlib.sha256(kept.encode()).hexdigest() == SUM_OF_THE_KEPT


def test_no_golden_hand_is_there_twice():
    assert len({hand.line for hand in HANDS}) == len(HANDS)


def test_every_table_has_a_golden_hand():
    told = {hand.line.partition(" ")[0] for hand in HANDS}
    assert {f"{code}/{variant}" for code, game in GAMES.items() for variant in game.spec.variants} <= told
