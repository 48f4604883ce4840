"""Facts of a game that are the same at all of its tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from webapp.engine.words import Text


@dataclass(frozen=True, slots=True)
class Preference:
    """A question of a game that a player settles once for all hands.

    name: of the field in forms and in the cookie of preferences. title: what it is about. values: what may be chosen,
    with its words, the default first. answers: for a value the verb that is played for the player whenever it is legal.
    others: whether a value that is none of these may be chosen, too; by default none may.
    """

    name: str
    title: Text
    values: Mapping[str, Text]
    answers: Mapping[str, str] = field(default_factory=dict)
    others: Callable[[str], bool] = lambda value: False

    def takes(self, value: str) -> bool:
        """Return whether a player may choose a value."""
        return value in self.values or self.others(value)

    @property
    def default(self) -> str:
        """The value of a player who has chosen none."""
        return next(iter(self.values))


@dataclass(frozen=True, slots=True)
class CardCount:
    """Counting the cards of a shoe, for practice.

    preference: name of the preference that decides whether the count is shown, or asked between two rounds. shown,
    at_shuffle, now_and_then: its values for that. system: name of the preference whose value is the counting system.
    """

    preference: str
    shown: str
    at_shuffle: str
    now_and_then: str
    system: str


@dataclass(frozen=True, slots=True)
class MarkingWhatPays:
    """Marking the cards that pay, before the player has touched any.

    preference: name of the preference that decides. always, never, at_first: its values for all hands, for none, and
    for the first ``hands`` of a player.
    """

    preference: str
    always: str
    never: str
    at_first: str
    hands: int


@dataclass(frozen=True, slots=True)
class Daily:
    """The daily deal of a game: its table, the stakes of each round, and how many rounds are dealt."""

    variant: str
    stakes: tuple[int, ...] = ()
    rounds: int = 1


@dataclass(frozen=True, slots=True)
class Spec:
    """Code, tables and seats of a game, and what the site must know of its results and questions.

    code: package, address, template folder and word of notation. variants: its named tables, the default first.
    banked: if true one of the seats banks, and a ``Setup`` says which. won, drawn: codes of results (of their first
    label) that are a win or a draw; all others are lost. beginners: the table that is offered first to somebody who has
    never played the game, where it is not the default. odds: what makes its ``webapp.engine.odds.value.Odds``, spelled
    ``package.module:NAME`` and imported when they are asked for; None if it has none. question: spelled alike, the
    function that says of a state, without NumPy, what to ask the odds, as its player sees it. kinds: spelled alike, the
    function that names the kinds of decisions a state is of, with KINDS beside it, all names. daily: its daily deal;
    None if it has none.
    """

    code: str
    variants: tuple[str, ...]
    seats: int = 1
    banked: bool = False
    won: frozenset[str] = frozenset()
    drawn: frozenset[str] = frozenset()
    preferences: tuple[Preference, ...] = ()
    card_count: CardCount | None = None
    marking: MarkingWhatPays | None = None
    odds: str | None = None
    question: str | None = None
    kinds: str | None = None
    beginners: str | None = None
    daily: Daily | None = None

    @property
    def default(self) -> str:
        """The table that is played where none is named."""
        return self.variants[0]

    def tables_for(self, newcomer: bool) -> tuple[str, ...]:
        """Return the tables in the order in which they are offered: to a newcomer the beginners' first."""
        if not newcomer or self.beginners is None:
            return self.variants
        return (self.beginners, *(variant for variant in self.variants if variant != self.beginners))

    def answers(self, chosen: Mapping[str, str]) -> frozenset[str]:
        """Return the verbs that are played for a player with these preferences, by name, whenever they are legal."""
        return frozenset(
            preference.answers[value]
            for preference in self.preferences
            if (value := chosen.get(preference.name, preference.default)) in preference.answers
        )

    def marks_what_pays(self, chosen: Mapping[str, str], number: int) -> bool:
        """Return whether the cards that pay are marked for a player with these preferences, in a hand of a number."""
        if self.marking is None:
            return False
        value = self._value(self.marking.preference, chosen)
        return value == self.marking.always or (value == self.marking.at_first and number <= self.marking.hands)

    def asks_about_marking(self, chosen: Mapping[str, str], number: int) -> bool:
        """Return whether it is time to ask the player, once: after the last hand in which it was done anyway."""
        if self.marking is None:
            return False
        return number == self.marking.hands and self._value(self.marking.preference, chosen) == self.marking.at_first

    def _value(self, name: str, chosen: Mapping[str, str]) -> str:
        default = next(preference.default for preference in self.preferences if preference.name == name)
        return chosen.get(name, default)

    def shows_card_count(self, chosen: Mapping[str, str]) -> bool:
        """Return whether a player with these preferences is shown the count of the shoe."""
        return self.card_count is not None and self._value(self.card_count.preference, chosen) == self.card_count.shown

    def asks_card_count(self, chosen: Mapping[str, str], at_shuffle: bool, now: bool) -> bool:
        """Return whether such a player is asked for it after a round.

        Args:
            chosen: the preferences.
            at_shuffle: the shoe is shuffled before the next round.
            now: the round is one of those after which a player is asked who is asked now and then.
        """
        if self.card_count is None:
            return False
        asking = {self.card_count.at_shuffle: at_shuffle, self.card_count.now_and_then: now}
        return asking.get(self._value(self.card_count.preference, chosen), False)

    def counting_system(self, chosen: Mapping[str, str]) -> str:
        """Return the name of the system by which such a player counts."""
        assert self.card_count is not None
        return self._value(self.card_count.system, chosen)
