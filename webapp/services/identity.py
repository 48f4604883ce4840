"""Players come into being with their first deed and are known by their cookie alone."""

import time
import unicodedata
from typing import Final

from webapp.extensions import db
from webapp.models import Player
from webapp.services.chance import new_key
from webapp.services.refusal import Refusal
from webapp.services.transaction import writing

NAME_LENGTH: Final = 24


def new_player() -> str:
    """The id of a player who did not exist before."""
    with writing() as session:
        player = Player(id=new_key(16), name="", created_at=int(time.time()))
        session.add(player)
    return player.id


def is_known(player: str) -> bool:
    """False for a player of another time: one who came after the backup that was restored."""
    return db.session.get(Player, player) is not None


def rename(player: str, name: str) -> None:
    """The name shown on finished hands; any script, no control characters. Refusal ``bad-name``."""
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if len(tidy) > NAME_LENGTH or any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn") for c in tidy):
        raise Refusal("bad-name", detail=tidy[:80])
    with writing() as session:
        row = session.get(Player, player)
        if row is None:
            raise Refusal("unknown-player")
        row.name = tidy
