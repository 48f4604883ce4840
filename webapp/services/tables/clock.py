"""Time at a shared table: unix milliseconds, the server's."""

from typing import Final

BOT_PACE: Final = 1_600
"""What a machine, or a seat whose player has left, takes for a move: so that others can follow."""
PAUSE: Final = 9_000
"""Between two rounds, to look at the cards."""
LONG_AGO: Final = 300_000
"""A deadline that passed so long ago passed unseen: what was due after it is done as if it had been done in time."""
