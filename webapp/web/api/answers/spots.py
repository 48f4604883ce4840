"""Answers about simulated decisions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any


@dataclass(frozen=True, kw_only=True, slots=True)
class SpotOptionAnswer:
    """A legal action: what it is worth, and what it brought."""

    action: Annotated[str, "The action: `hold-1-3`."]
    value: Annotated[float, "What it is worth as computed, in the `unit` of the answer."]
    mean: Annotated[float, "What it brought on average."]
    standard_error: Annotated[float, "Standard error of the mean."]


@dataclass(frozen=True, kw_only=True, slots=True)
class SpotAnswer:
    """A decision simulated: its best actions, and the one that was asked for or taken."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or its own rules in one word."]
    unit: Annotated[str, "What values are, as in the answer of the odds desk."]
    rounds: Annotated[int, "How many times it was dealt."]
    seed: Annotated[int, "The same seed, the same cards."]
    options: Annotated[tuple[SpotOptionAnswer, ...], "The actions, best first."]
    exact: Annotated[bool, "The values that were computed are exact."]
    method: Annotated[str, "Name of the way they were computed."]
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
