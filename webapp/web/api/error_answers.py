"""Answers to what was refused or failed."""

from dataclasses import dataclass
from typing import Annotated

from webapp.web.api.serialize import ABSENT, Absent
from webapp.web.api.solo_answers import BoardAnswer
from webapp.web.api.table_answers import TableAnswer


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """A request that was refused, or failed. Nothing was changed."""

    error: Annotated[str, "Code of the reason."]
    message: Annotated[str, "The reason as a sentence, in the language of the request."]
    hand: Annotated[BoardAnswer | Absent, "The current board, if the request was for a hand of the player."] = ABSENT
    reference: Annotated[str | Absent, "Only for internal errors: the id of the request in the log."] = ABSENT


@dataclass(frozen=True, kw_only=True, slots=True)
class RefusedTableAnswer(TableAnswer):
    """A shared table in its current state, after a refused command."""

    error: Annotated[str, "Code of the reason."]
    message: Annotated[str, "The reason as a sentence, in the language of the request."]
