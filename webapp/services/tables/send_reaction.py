"""Sending a reaction from one's seat at a shared table."""

from hashlib import sha256

from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.tables import loading
from webapp.services.tables.reactions import KINDS
from webapp.services.tables.versions import hub


def react(code: str, player: str | None, kind: str, once: str = "") -> None:
    """Show a reaction at a player's seat. ``once``: a random word, so that a repeated request shows nothing new.

    Raises:
        Refusal: ``table-not-found``, ``bad-reaction``, ``not-seated``, or ``too-many-reactions``.
    """
    if kind not in KINDS:
        raise Refusal("bad-reaction", kind[:20])
    own = loading.load(code, player, announced=True).seat_of(player)
    if own is None or own.leaving:
        raise Refusal("not-seated")
    # derived from the player's key, but not chosen by the player, who could otherwise hide another reaction
    word = sha256(f"{code} {own.player} {once}".encode()).hexdigest()[:16] if once else new_key(16)
    sent = hub().reactions.send(code, own.number, own.player, kind, word)
    if sent is None:
        raise Refusal("too-many-reactions")
    reaction, is_new = sent
    if is_new:
        hub().show_reaction(code, reaction)
