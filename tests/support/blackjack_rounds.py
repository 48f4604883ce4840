"""Rounds of blackjack with chosen cards and actions, and random rounds."""

from dataclasses import asdict
from random import Random
from typing import Any, Final

from tests.support import plain_blackjack
from webapp.engine.action import ALONE, Action
from webapp.engine.bets import Bets
from webapp.engine.cards import RANK_LETTERS, STANDARD_DECK, Card, parse_cards
from webapp.engine.game import Setup, replay
from webapp.engine.games import blackjack
from webapp.engine.games.blackjack.game import BlackjackGame
from webapp.engine.games.blackjack.rules import BOXES, CHOICES, BlackjackRules
from webapp.engine.games.blackjack.shoe import reserve
from webapp.engine.games.blackjack.state import BlackjackState
from webapp.engine.games.blackjack.view import BlackjackView

BLACKJACK = blackjack.GAME


def custom(**changes: Any) -> BlackjackGame:
    """Return a game with one table, ``own``: the default rules with changes, also those that players cannot choose."""
    return BlackjackGame("blackjack", {"own": BlackjackRules(**changes)})


def setup_of(cards: str, table: str, stakes: tuple[int, ...]) -> Setup:
    return Setup(table, () if table.startswith("classic") else stakes, (parse_cards(cards),))


def play(
    cards: str, *moves: str, table: str = "vegas", stakes: tuple[int, ...] = (10,), game: BlackjackGame = BLACKJACK
) -> BlackjackState:
    """Return the state after these moves.

    ``cards`` are in dealing order: the first card of each box, the dealer's upcard, the second cards, the hole card.
    """
    state = replay(game, setup_of(cards, table, stakes), map(Action.parse, moves))
    assert isinstance(state, BlackjackState)
    return state


def seen(
    cards: str, *moves: str, table: str = "vegas", stakes: tuple[int, ...] = (10,), game: BlackjackGame = BLACKJACK
) -> BlackjackView:
    return game.view(play(cards, *moves, table=table, stakes=stakes, game=game), ALONE)


def words(view: BlackjackView) -> set[str]:
    return set(map(str, view.actions))


def outcomes(view: BlackjackView) -> list[str]:
    """Return the outcome of each hand; "None" where it is not known yet."""
    return [str(hand.outcome) for box in view.boxes for hand in box.hands]


def paid(view: BlackjackView) -> tuple[int, ...]:
    assert view.result is not None, f"{view.phase}: {view.actions} are still to be done"
    return view.result.payouts


def hands(view: BlackjackView) -> list[str]:
    return [" ".join(map(str, hand.cards)) for box in view.boxes for hand in box.hands]


def dealer(view: BlackjackView) -> str:
    return " ".join("?" if card is None else str(card) for card in view.dealer)


# ------------------------------------------------------------------------------------------ by chance


def any_rules(chance: Random) -> BlackjackRules:
    """Return random rules: each choice is equally likely, and small shoes, which may run out, are more frequent."""
    chosen: dict[str, Any] = {name: chance.choice(choices) for name, choices in CHOICES.items()}
    if chance.random() < 0.3:
        chosen |= {"decks": 1, "penetration": 0.9}
    bets: Bets | None = Bets(start=1000, least=1, most=1000, places=BOXES)
    naturals = chance.random() < 0.9
    if not naturals:
        bets = chance.choice([None, bets])
    return BlackjackRules(naturals=naturals, fresh_deck=chance.random() < 0.2, bets=bets, **chosen)


def any_shoe(rules: BlackjackRules, chance: Random) -> tuple[Card, ...]:
    """Return the first cards of a random shoe. Often they are sorted so that pairs, naturals or long hands come up."""
    whole = STANDARD_DECK * rules.decks
    cards = chance.sample(whole, min(len(whole), 120))
    favoured = chance.choice(["", "", "", "A", "ATJQK", "A8", "88", "TJQK", "A23", "A2345"])
    if favoured:
        cards.sort(key=lambda card: RANK_LETTERS[card.rank - 2] not in favoured and chance.random() < 0.8)
    return tuple(cards)


def any_round(chance: Random) -> tuple[BlackjackRules, Setup]:
    rules = any_rules(chance)
    bets = tuple(chance.choice([1, 2, 3, 5, 10, 15, 25, 101, 1000]) for _ in range(chance.choice([1, 1, 2, 3])))
    return rules, Setup("own", bets if rules.bets else (), (any_shoe(rules, chance),))


LIKINGS: Final = (
    {},
    {"stand": 3.0},
    {"hit": 9.0, "split": 30.0, "stand": 0.2, "surrender": 0.1},
    {"split": 20.0, "double": 3.0},
    {"insure": 5.0, "hit": 0.5},
)


def agree(seed: int) -> BlackjackState:
    """Play a random round with the engine and ``plain_blackjack``, and assert that both agree at every decision."""
    chance = Random(seed)
    rules, setup = any_round(chance)
    game = BlackjackGame("blackjack", {"own": rules})
    state = game.start(setup)
    liking = chance.choice(LIKINGS)

    def ask(may: set[str]) -> str:
        nonlocal state
        legal = game.legal_actions(state)
        assert set(map(str, legal)) == may, seed
        (action,) = chance.choices(legal, [liking.get(action.verb, 1.0) for action in legal])
        state = game.apply(state, action)
        return str(action)

    stakes = setup.stakes or (0,)
    shoe = [str(card) for card in setup.cards[0]]
    plain = plain_blackjack.play(asdict(rules), stakes, shoe, reserve(rules, len(stakes)), ask)
    result = game.result(state)
    assert result is not None, seed
    mine = (result.payouts, game.committed(state), game.dealt(state), tuple(map(str, state.dealer)))
    assert mine == (plain.payouts, plain.staked, (plain.dealt,), plain.dealer), seed
    return state
