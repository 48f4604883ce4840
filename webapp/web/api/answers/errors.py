"""Answers to what was refused or failed."""

from dataclasses import dataclass
from typing import Annotated

from webapp.web.api.answers.solo import BoardAnswer
from webapp.web.api.answers.tables import TableAnswer
from webapp.web.api.serialize import ABSENT, Absent


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """A request that was refused, or failed. Nothing was changed."""

    error: Annotated[str, "Code of the reason."]
    message: Annotated[str, "The reason as a sentence, in the language of the request."]
    hand: Annotated[BoardAnswer | Absent, "The hand as it stands, if the request was for one of the player's."] = ABSENT
    reference: Annotated[str | Absent, "Of a failure: the word that the log has for it."] = ABSENT


@dataclass(frozen=True, kw_only=True, slots=True)
class RefusedTableAnswer(TableAnswer):
    """A shared table as it stands, after a command that was refused."""

    error: Annotated[str, "Code of the reason."]
    message: Annotated[str, "The reason as a sentence, in the language of the request."]
