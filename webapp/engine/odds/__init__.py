"""The odds of the games: what every decision is worth, exactly where that is possible.

A game's ``Spec.odds`` names, as ``package.module:NAME``, a class or function that takes the game and returns its
``Odds``. It is imported at the first question, since odds need NumPy. ``odds_of`` returns the odds of any game.
"""

from importlib import import_module
from typing import Any

from webapp.engine.game import AnyGame
from webapp.engine.odds.question import Question
from webapp.engine.odds.value import AnyOdds, NoOdds


def odds_of(game: AnyGame) -> AnyOdds:
    """Return the odds of a game.

    Raises:
        NoOdds: the game has none, or what they need is not installed.
    """
    if game.spec.odds is None:
        raise NoOdds(f"there are no odds for {game.spec.code}")
    module, _, name = game.spec.odds.partition(":")
    try:
        odds: AnyOdds = getattr(import_module(module), name)(game)
    except ModuleNotFoundError as error:
        raise NoOdds(f"the odds of {game.spec.code} need {error.name}") from error
    return odds


def question_of(game: AnyGame, state: Any) -> Question:
    """Return the question that a decision answers, from what its player sees. This needs no NumPy.

    Raises:
        NoOdds: the decisions of the game cannot be asked about.
    """
    if game.spec.question is None:
        raise NoOdds(f"there are no odds for {game.spec.code}")
    question: Question = _named(game.spec.question)(state)
    return question


def kinds_of(game: AnyGame, state: Any) -> tuple[str, ...]:
    """Return words for the kinds of decisions that a state is of, the narrowest first; none where nothing is alike.

    Decisions of a kind are learnt together: the same total against the same card, the same chances of a hand.
    """
    kinds: tuple[str, ...] = _named(game.spec.kinds)(state) if game.spec.kinds else ()
    return kinds


def is_kind(game: AnyGame, word: str) -> bool:
    """Return True if decisions of a game can be of a kind of this name."""
    return word in _named(game.spec.kinds.partition(":")[0] + ":KINDS") if game.spec.kinds else False


def _named(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)
