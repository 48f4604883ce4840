"""Answers to errors: page, fragment or JSON, with the status and a sentence in the player's language."""

import traceback
from typing import Any, Final

import structlog
from flask import Flask, Response, abort, current_app, request
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from webapp.adapter import REFUSED
from webapp.config import PACKAGE
from webapp.engine.errors import EngineError
from webapp.services.core.database import error_code, is_temporary, rollback
from webapp.services.core.errors import Refusal
from webapp.services.core.log_lines import is_first_of_minute
from webapp.web.api.error_answers import ErrorAnswer
from webapp.web.api.serialize import json_response
from webapp.web.i18n.refusals import refusal_of, sentence_of
from webapp.web.request.logs import note_refusal, request_id
from webapp.web.templating.render import render, wants_json

log = structlog.get_logger()

RETRY_AFTER: Final = "5"
"""Seconds after which to try again what cannot be done for a moment."""


def init_app(app: Flask) -> None:
    """Add the error handlers to an app."""
    app.register_error_handler(Refusal, _on_refusal)
    app.register_error_handler(EngineError, _on_engine_error)
    app.register_error_handler(HTTPException, _on_http_error)
    app.register_error_handler(Exception, _on_failure)
    app.before_request(_refuse_as_told)


def error_response(code: str, status: int, sentence: str, **context: Any) -> Response:
    """Return the answer to an error that is not about a hand or table."""
    note_refusal(code)
    if wants_json():
        return json_response(ErrorAnswer(code, sentence, **context), status)
    if request_ctx.url_adapter is None:
        # The host is unknown or invalid. Links of the page are paths only, so any host name will do.
        request_ctx.url_adapter = current_app.url_map.bind("localhost", script_name=request.root_path)
    return render("error.html", status, code=code, http_status=status, sentence=sentence, **context)


def _refuse_as_told() -> None:
    """Refuse what the server could not receive, or has no thread for, in the words of the site."""
    status = request.environ.get(REFUSED)
    if status == 503:
        raise Refusal("too-busy")
    if status is not None:
        abort(status)


def _on_refusal(error: Refusal) -> ResponseReturnValue:
    status, sentence = refusal_of(error.code)
    response = error_response(error.code, status, sentence)
    if status == 429:
        response.headers["Retry-After"] = "60"
    elif status == 503:
        response.headers["Retry-After"] = RETRY_AFTER
    return response


def _on_engine_error(error: EngineError) -> ResponseReturnValue:
    status, sentence = refusal_of(error.code)
    return error_response(error.code, status, sentence)


def _on_http_error(error: HTTPException) -> ResponseReturnValue:
    if error.code is None or error.code < 400:
        return error
    response = error_response(f"http-{error.code}", error.code, sentence_of(error.code))
    for name, value in error.get_headers():
        if name.lower() in ("allow", "retry-after"):
            response.headers[name] = value
    return response


def _on_failure(error: Exception) -> ResponseReturnValue:
    """Answer with a reference to the log; the page contains nothing else about the error.

    The log says where it happened, in our code and at its very end, and which of the database's errors it is, if it is
    one; not the error's own words: those may hold cards.
    """
    rollback()
    if is_temporary(error):
        if is_first_of_minute(f"database-trouble {error_code(error)}"):
            log.warning("database-trouble", id=request_id(), error=type(error).__name__, code=error_code(error))
        return _on_refusal(Refusal("unavailable"))
    reference = request_id()
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames[:-1] if frame.filename.startswith(str(PACKAGE))]
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in (*ours, *frames[-1:])]
    log.error("failure", reference=reference, error=type(error).__name__, code=error_code(error), places=places[-12:])
    return error_response("failure", 500, sentence_of(500), reference=reference)
