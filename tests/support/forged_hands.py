"""JSON documents of finished hands of any game, honest ones and forged ones.

A forged document is consistent: its seed matches its commitment and deals its cards, but from packs that break the
rules.
"""

from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from tests.contracts.playing import setups
from tests.support.player import Json
from webapp.engine.action import Action
from webapp.engine.cards import Card
from webapp.engine.game import AnyGame, Pack, Setup, states
from webapp.engine.notation import banker_of_line, dumps, record
from webapp.engine.shuffling import commitment, shuffled

KEY, SHOE = "TheHandItself", "TheShoeOfIt"


@dataclass(frozen=True)
class Site:
    """Everything a document is made from. ``choices`` are the player's, as indexes of the legal actions."""

    game: AnyGame
    variant: str
    stakes: tuple[int, ...]
    seed: bytes
    id: str
    cuts: tuple[str, ...]
    packs: tuple[Pack, ...]
    offset: int
    choices: tuple[int, ...]

    def row(self, number: int) -> tuple[Card, ...]:
        pack = self.packs[number]
        row = shuffled(self.seed, self.id, number, pack.decks, pack.jokers, self.cuts)
        return row[self.offset :] if number == 0 else row

    def tells(self, **changed: Any) -> Json:
        """Return the document of a hand played to its end, with these fields changed."""
        banker = banker_of_line(self.stakes) if self.game.spec.banked else None
        setup = Setup(self.variant, self.stakes, tuple(self.row(number) for number in range(len(self.packs))), banker)
        moves, last = _played(self.game, setup, self.choices)
        written = record(self.game, setup, moves)
        result = self.game.result(last)
        assert result is not None
        rows = written.setup.cards
        return {
            "hand": KEY,
            "game": self.game.spec.code,
            "table": self.variant,
            "status": "done",
            "stakes": list(self.stakes),
            "moves": [str(move) for move in moves],
            "cards": [[str(card) for card in row] for row in rows],
            "payouts": list(result.payouts),
            "labels": [{"code": label.code} for label in result.labels],
            "proof": {
                "scheme": "tf1",
                "id": self.id,
                "commitment": commitment(self.seed, self.id),
                "seed": self.seed.hex(),
                "cuts": list(self.cuts),
                "packs": [{"decks": pack.decks, "jokers": pack.jokers} for pack in self.packs[: len(rows)]],
                "offset": self.offset,
            },
            "notation": dumps(written),
            **changed,
        }


def _played(game: AnyGame, setup: Setup, choices: tuple[int, ...]) -> tuple[tuple[Action, ...], Any]:
    """Play by ``choices`` while there are any, then by default actions; return the moves and the last state."""
    moves: list[Action] = []
    (state,) = states(game, setup, ())
    while legal := game.legal_actions(state):
        n = len(moves)
        moves.append(legal[choices[n] % len(legal)] if n < len(choices) else game.default_action(state, legal[0].seat))
        state = game.apply(state, moves[-1])
    return tuple(moves), state


words = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", min_size=1, max_size=64)


@st.composite
def honest_sites(draw: st.DrawFn, game: AnyGame, variant: str) -> Site:
    stakes, cut_card = draw(setups(game, variant)).stakes, game.cut_card(variant)
    cutting = len(stakes) if game.spec.seats > 1 else 1
    return Site(
        game=game,
        variant=variant,
        stakes=stakes,
        seed=draw(st.binary(min_size=32, max_size=32)),
        id=KEY if cut_card is None else SHOE,
        cuts=tuple(draw(st.lists(words, min_size=cutting, max_size=cutting))),
        packs=game.packs(variant),
        offset=0 if cut_card is None else draw(st.integers(0, cut_card - 1)),
        choices=tuple(draw(st.lists(st.integers(0, 2**16), max_size=12))),
    )


@st.composite
def forging_sites(draw: st.DrawFn, game: AnyGame, variant: str) -> tuple[str, Site]:
    """Generate what is forged and the site. Its packs have enough cards for the hand."""
    site: Site = draw(honest_sites(game, variant))
    what = draw(st.sampled_from(["decks", "jokers", "offset", "id", "more cuts", "fewer cuts"]))
    first, cut_card = site.packs[0], game.cut_card(variant)
    size = 52 * first.decks + first.jokers
    match what:
        case "decks":
            decks = draw(st.integers(1, 8).filter(lambda n: n != first.decks and 52 * n >= site.offset + 52))
            return what, replace(site, packs=(replace(first, decks=decks), *site.packs[1:]))
        case "jokers":
            jokers = draw(st.integers(0, 2).filter(lambda n: n != first.jokers))
            return what, replace(site, packs=(replace(first, jokers=jokers), *site.packs[1:]))
        case "offset":
            # a negative one counts from the end, as Python understands it
            beyond = st.integers(1 if cut_card is None else cut_card, max(size - 26, cut_card or 0))
            return what, replace(site, offset=draw(beyond | st.integers(-size, -26)))
        case "id":
            return what, replace(site, id=SHOE if cut_card is None else KEY)
        case "more cuts":
            return what, replace(site, cuts=(*site.cuts, draw(words)))
        case _:
            return what, replace(site, cuts=site.cuts[:-1] or ("a", "b"))
