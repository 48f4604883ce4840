"""Golden hands: hands of earlier versions are replayed with the same result. They are only ever added to."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import pytest

from webapp.engine import notation, replay
from webapp.engine.cards import RANK_LETTERS, Rank
from webapp.engine.game import Setup
from webapp.engine.games import GAMES
from webapp.engine.label import Label
from webapp.engine.shuffling import ShuffledPacks, commitment

# So many hands were there when this was last looked at, and that is their sum.
KEPT = 107
SUM_OF_THE_KEPT = "d97b219fd26b9765045db0c44c7d7ad81c83cd2ae4b4f7dba8afb76a75ddc831"


SHOES_KEPT = 2
SUM_OF_THE_SHOES = "0c14a50f788c29260ed4c375aebfe24ab7d06eb11933b03f998d06658c1511cd"


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
    """Return a label as text: ``FULL_HOUSE high=Q low=7``."""
    return " ".join([label.code, *(f"{name}={_spell(value)}" for name, value in label.args)])


def _spell(value: object) -> str:
    if isinstance(value, Rank):
        return RANK_LETTERS[value - Rank.TWO]
    return "".join(map(str, value)) if isinstance(value, tuple) else str(value)


HANDS = read()


class Shoe(NamedTuple):
    """A shoe. ``rounds``: number of cards dealt before each round, and the round in notation."""

    seed: bytes
    key: str
    cut: str
    commitment: str
    rounds: tuple[tuple[int, str], ...]


def shoes() -> list[Shoe]:
    found: list[Shoe] = []
    for line in (Path(__file__).parent / "shoes.txt").read_text("ascii").splitlines():
        if line.startswith("shoe "):
            _, seed, key, cut, committed = line.split()
            found.append(Shoe(bytes.fromhex(seed), key, cut, committed, ()))
        elif line.startswith("    "):
            offset, _, round = line.strip().partition(" ")
            found[-1] = found[-1]._replace(rounds=(*found[-1].rounds, (int(offset), round)))
    return found


@pytest.mark.parametrize("shoe", shoes(), ids=lambda shoe: shoe.key)
def test_a_golden_shoe_still_deals_the_same_rounds_one_behind_the_other(shoe):
    assert commitment(shoe.seed, shoe.key) == shoe.commitment
    gone = 0
    for offset, line in shoe.rounds:
        record = notation.loads(line)
        game, setup = GAMES[record.game], record.setup
        packs = game.packs(setup.variant)
        rows = ShuffledPacks(shoe.seed, shoe.key, (shoe.cut,), packs, offset)
        dealt = notation.record(game, Setup(setup.variant, setup.stakes, rows), record.moves)
        assert (offset, notation.dumps(dealt)) == (gone, line)
        assert gone < game.cut_card(setup.variant)
        gone += len(setup.cards[0])
    assert gone >= game.cut_card(setup.variant), "and then the cut card has come"


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


def test_golden_shoes_are_only_ever_added():
    kept = "\n".join(map(repr, shoes()[:SHOES_KEPT]))
    assert hashlib.sha256(kept.encode()).hexdigest() == SUM_OF_THE_SHOES


def test_no_golden_hand_is_there_twice():
    assert len({hand.line for hand in HANDS}) == len(HANDS)


def test_every_table_has_a_golden_hand():
    told = {hand.line.partition(" ")[0] for hand in HANDS}
    assert {f"{code}/{variant}" for code, game in GAMES.items() for variant in game.spec.variants} <= told
