"""Rounds of Table 21 with chosen cards and actions, and random rounds."""

from random import Random

from webapp.engine.action import Action, Seat
from webapp.engine.cards import STANDARD_DECK, Card, parse_cards
from webapp.engine.game import Setup, replay
from webapp.engine.games import table21
from webapp.engine.games.table21.state import Table21State
from webapp.engine.games.table21.view import Table21View

TABLE = table21.GAME


def stakes_of(bets: tuple[int, ...], bank: int) -> tuple[int, ...]:
    """Return the stakes by seat: the players' bets, and at the bank's seat twice their sum."""
    return (*bets[:bank], 2 * sum(bets), *bets[bank:])


def setup_of(bets: tuple[int, ...], bank: int, rows: tuple[tuple[Card, ...], ...], table: str = "house") -> Setup:
    return Setup(table, stakes_of(bets, bank), rows, Seat(bank))


def play(cards: str, *moves: str, bets: tuple[int, ...] = (10,), bank: int = 0, table: str = "house") -> Table21State:
    """Return the state after these moves.

    ``cards`` are in dealing order; by default seat 0 is the bank and seat 1 plays.
    """
    setup = setup_of(bets, bank, (parse_cards(cards),), table)
    state = replay(TABLE, setup, map(Action.parse, moves))
    assert isinstance(state, Table21State)
    return state


def seen(
    cards: str,
    *moves: str,
    bets: tuple[int, ...] = (10,),
    bank: int = 0,
    viewer: int | None = None,
    table: str = "house",
) -> Table21View:
    state = play(cards, *moves, bets=bets, bank=bank, table=table)
    return TABLE.view(state, None if viewer is None else Seat(viewer))


def may(cards: str, *moves: str, bets: tuple[int, ...] = (10,), bank: int = 0) -> set[str]:
    return {str(action) for action in TABLE.legal_actions(play(cards, *moves, bets=bets, bank=bank))}


def nets(state: Table21State) -> tuple[int, ...]:
    result = TABLE.result(state)
    assert result is not None, "the round is not over"
    return tuple(paid - put for paid, put in zip(result.payouts, TABLE.committed(state), strict=True))


def any_round(chance: Random) -> Table21State:
    """Play a random round to its end."""
    players = chance.randint(1, 4)
    bets = tuple(chance.randint(10, 200) for _ in range(players))
    state = TABLE.start(setup_of(bets, chance.randint(0, players), (any_deck(chance),)))
    while legal := TABLE.legal_actions(state):
        state = TABLE.apply(state, chance.choice(legal))
    return state


def any_deck(chance: Random) -> tuple[Card, ...]:
    """Return a random deck. Often it is sorted so that pairs, low cards, tens or aces come first."""
    cards = chance.sample(STANDARD_DECK, 52)
    favoured = chance.choice(["", "", "A", "ATJQK", "88", "A23", "A2345", "TJQK"])
    if favoured:
        cards.sort(key=lambda card: str(card)[0] not in favoured and chance.random() < 0.8)
    return tuple(cards)
