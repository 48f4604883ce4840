"""Base class of games with one variant, without choices, shoes, or costs during play."""

from collections.abc import Mapping
from typing import Any, Protocol

from webapp.engine.action import Action
from webapp.engine.errors import SetupError
from webapp.engine.game import Marks, Setup
from webapp.engine.spec import Spec


class Started(Protocol):
    """A state that contains its setup."""

    @property
    def setup(self) -> Setup: ...


class OneVariant:
    """A game with one variant. ``rules_of_variant`` makes its rules."""

    spec: Spec
    rules_of_variant: type[Any]

    def rules(self, variant: str) -> Any:
        if variant not in self.spec.variants:
            raise SetupError(f"no such table: {variant!r}")
        return self.rules_of_variant()

    def choices(self) -> Mapping[str, tuple[object, ...]]:
        return {}

    def variant_from_choices(self, words: Mapping[str, str]) -> str:
        raise SetupError("there is one table")

    def cut_card(self, variant: str) -> int | None:
        return None

    def cost(self, state: Any, action: Action) -> int:
        return 0

    def marks(self, state: Any) -> Marks | None:
        return None

    def committed(self, state: Started) -> tuple[int, ...]:
        return state.setup.stakes

    def frequencies(self, variant: str) -> Mapping[str, float]:
        return {}
