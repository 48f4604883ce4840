"""The limit of guesses: codes that lead to no table, and links that lead to no seat or player."""

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec

from flask import Response
from flask.typing import ResponseReturnValue

from webapp.services.core.errors import Refusal
from webapp.web.request.limits import is_within

P = ParamSpec("P")

_WRONG: Final = ("table-not-found", "link-over")
GUESSES: Final = "30/minute"
"""Wrong ones from one address."""


def guessing(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """Limit wrong codes and links of a view, and nothing else.

    A code that leads to a table is answered however many others were wrong, or one guesser would keep a whole school
    from playing.

    Raises:
        Refusal: ``too-many-guesses``.
    """

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        try:
            answered = view(*args, **kwargs)
        except Refusal as refusal:
            if refusal.code in _WRONG and not is_within(GUESSES, "guesses"):
                raise Refusal("too-many-guesses") from refusal
            raise
        wrong_link = isinstance(answered, Response) and answered.status_code == 404
        if wrong_link and not is_within(GUESSES, "guesses"):
            raise Refusal("too-many-guesses")
        return answered

    return guarded
