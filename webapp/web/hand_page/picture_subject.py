"""The content of a picture: groups of cards with their words."""

from dataclasses import dataclass

from webapp.engine.cards import Card


@dataclass(frozen=True, slots=True)
class ShownGroup:
    """Cards that lie together on a picture, and what is written below them: a caption, and chips won or lost.

    None is a back.
    """

    cards: tuple[Card | None, ...]
    caption: str = ""
    amount: str = ""
    making: tuple[int, ...] = ()
    """Positions, from 1, of the cards that pay; none where that is not shown."""
    stand_ins: tuple[str, ...] = ()
    """What each card stands for if it is wild: a rank, and the letter of a suit if the others are of one."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Content of a picture. ``title`` may have several lines: the first is the largest. ``amount`` may be empty.

    ``small`` is the line of small print under the cards, which may be empty too. ``language`` is the code of what
    the words are in.
    """

    groups: tuple[ShownGroup, ...]
    title: str
    amount: str = ""
    small: str = ""
    language: str = "en"

    @property
    def words(self) -> str:
        """All that is written on the picture."""
        of_groups = (text for group in self.groups for text in (group.caption, group.amount))
        return " ".join((self.title, self.amount, self.small, *of_groups))

    @property
    def is_gain(self) -> bool:
        """The amount is a score, or chips that were won."""
        return is_gain(self.amount)


def is_gain(amount: str) -> bool:
    """Return True if a formatted amount is positive."""
    return amount not in ("", "0", "±0") and not amount.startswith(("−", "–"))
