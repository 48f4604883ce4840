"""Players come into being with their first deed and are known by their cookie alone."""

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
"""Full-width punctuation brings its own space: one more would be a hole. Pages have none, and so names have none."""
_BLANKS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159")
"""Letters and signs by their category, and nothing to the eye."""


def new_player() -> str:
    """The id of a player who did not exist before."""
    with writing() as session:
        player = Player(id=new_key(16), name="", created_at=now_ms())
        session.add(player)
    return player.id


def is_known(player: str) -> bool:
    """False for a player of another time: one who came after the backup that was restored."""
    return db.session.get(Player, player) is not None


def name_from(text: str) -> str:
    """A name as it is shown: any script, no control characters, something to see. Refusal ``bad-name``."""
    tidy = GAP.sub("", " ".join(unicodedata.normalize("NFC", text).split()))
    if len(tidy) > NAME_LENGTH or not _is_visible(tidy):
        raise Refusal("bad-name", detail=tidy[:80])
    return tidy


def rename(player: str, name: str) -> bool:
    """Call a player something else from now on. Whether anything has changed."""
    with writing() as session:
        row = session.get(Player, player)
        if row is None:
            raise Refusal("unknown-player")
        changed = row.name != name
        row.name = name
    return changed


def _is_visible(name: str) -> bool:
    """All of it; marks need a letter or a sign to stand on. No name at all is nothing that hides."""
    kinds = [unicodedata.category(character) for character in name]
    if any(kind in ("Cc", "Cf", "Cs", "Co", "Cn") for kind in kinds) or not _BLANKS.isdisjoint(name):
        return False
    return not name or any(kind[0] not in "MZ" for kind in kinds)
