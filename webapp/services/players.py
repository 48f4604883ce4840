"""Players: made by their first action, known by the signed cookie alone, named as they like."""

import re
import unicodedata
from typing import Final

from webapp.extensions import db
from webapp.models import Player
from webapp.services.core.clock import now_ms
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.core.transaction import writing

NAME_LENGTH: Final = 24
GAP: Final = re.compile(r"(?<=[。、，：；！？])\s+")
"""Space after full-width punctuation, which has a space of its own. Pages and names drop it."""
_BLANKS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159")
"""Characters that are letters or signs by their category, and invisible."""


def new_player() -> str:
    """Make a player and return the id."""
    with writing() as session:
        player = Player(id=new_key(16), name="", created_at=now_ms())
        session.add(player)
    return player.id


def is_known(player: str) -> bool:
    """Return False for a player who came after the backup that was restored since."""
    return db.session.get(Player, player) is not None


def player_name(player: str | None) -> str:
    """Return the name of a player, empty if there is none."""
    row = db.session.get(Player, player) if player else None
    return row.name if row else ""


def name_from(text: str) -> str:
    """Return a name as it is shown: in any script, without control characters, with something visible.

    Raises:
        Refusal: ``bad-name``.
    """
    tidy = GAP.sub("", " ".join(unicodedata.normalize("NFC", text).split()))
    if len(tidy) > NAME_LENGTH or not _is_visible(tidy):
        raise Refusal("bad-name", detail=tidy[:80])
    return tidy


def rename(player: str, name: str) -> bool:
    """Change the name of a player. Return True if it was another one.

    Raises:
        Refusal: ``unknown-player``.
    """
    with writing() as session:
        row = session.get(Player, player)
        if row is None:
            raise Refusal("unknown-player")
        changed = row.name != name
        row.name = name
    return changed


def _is_visible(name: str) -> bool:
    """Return True if all of a name is visible, and its marks have a letter or sign to stand on; also if it is empty."""
    kinds = [unicodedata.category(character) for character in name]
    if any(kind in ("Cc", "Cf", "Cs", "Co", "Cn") for kind in kinds) or not _BLANKS.isdisjoint(name):
        return False
    return not name or any(kind[0] not in "MZ" for kind in kinds)
