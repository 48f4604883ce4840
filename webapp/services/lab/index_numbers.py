"""Index numbers for simulations whose player plays by them. They come from the odds desk, which may take a minute."""

import json
from dataclasses import replace

from webapp.engine.games.blackjack import GAME as BLACKJACK
from webapp.services.core.errors import Refusal
from webapp.services.lab.jobs import CountingRequest
from webapp.services.lab.pool import ExperimentWords
from webapp.services.odds import desk


class Later(Exception):
    """The index numbers are being worked out."""


def with_index_numbers(words: ExperimentWords, counting: CountingRequest | None) -> ExperimentWords:
    """Return an experiment with the index numbers by which its player plays, if there are such plays.

    Raises:
        Later: they are being worked out, from now on if not before.
        Refusal: ``odds-not-here``: they cannot be worked out here.
    """
    if counting is None or not counting.index_plays:
        return words
    return replace(words, indices=index_numbers(words.variant, counting.system))


def index_numbers(table: str, system: str) -> str:
    """Return the index numbers of a table that change a play, as JSON that ``CountIndices.from_json`` reads.

    Raises:
        Later: they are being worked out, from now on if not before.
        Refusal: ``odds-not-here``: they cannot be worked out here.
    """
    try:
        found = desk.ask("index", {"game": BLACKJACK.spec.code, "table": table, "system": system}, patience=0)
    except desk.Pending as error:
        raise Later from error
    except Refusal as error:
        if error.code == "odds-later":
            raise Later from error
        raise
    return json.dumps(found | {"plays": [play for play in found["plays"] if play["turns"]]}, separators=(",", ":"))
