"""Answers about simulated decisions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any


@dataclass(frozen=True, kw_only=True, slots=True)
class SpotOptionAnswer:
    """A legal action with its exact value and its simulated mean."""

    action: Annotated[str, "The action: `hold-1-3`."]
    value: Annotated[float, "Computed value in the `unit` of the answer."]
    mean: Annotated[float, "Simulated mean."]
    standard_error: Annotated[float, "Standard error of the mean."]


@dataclass(frozen=True, kw_only=True, slots=True)
class SpotAnswer:
    """A simulated decision: its best actions, and the requested or chosen one."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    unit: Annotated[str, "Unit of the values, as at the odds desk."]
    rounds: Annotated[int, "Number of deals for each action."]
    seed: Annotated[int, "Seed; equal seeds give equal cards."]
    options: Annotated[tuple[SpotOptionAnswer, ...], "The actions, best first."]
    exact: Annotated[bool, "Whether the computed values are exact."]
    method: Annotated[str, "Name of the method of computation."]
    url: Annotated[str, "Address of the page."]
    odds: Annotated[str, "Address of the same decision at the odds desk."]

    @classmethod
    def of(
        cls, game: str, table: str, rounds: int, seed: int, url: str, odds: str, answer: Mapping[str, Any]
    ) -> "SpotAnswer":
        """Return the answer that a service gave."""
        simulated = answer["simulated"]
        return cls(
            game=game,
            table=table,
            unit=answer["unit"],
            rounds=rounds,
            seed=seed,
            options=tuple(
                SpotOptionAnswer(
                    action=option["action"],
                    value=option["value"],
                    mean=simulated[option["action"]][0],
                    standard_error=simulated[option["action"]][1],
                )
                for option in answer["options"]
                if option["action"] in simulated
            ),
            exact=answer["exact"],
            method=answer["method"],
            url=url,
            odds=odds,
        )
