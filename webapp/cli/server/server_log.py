"""The server's own messages as lines of JSON, among the site's."""

import json
import logging
import re
import traceback
from datetime import UTC, datetime
from typing import Any, Final

LOGGERS: Final = ("uvicorn", "uvicorn.error", "asyncio", "concurrent.futures")
"""Loggers of the server. Each request has its line from the site: uvicorn's own log of them is off."""
_ADDRESS: Final = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b|\b[0-9a-fA-F]*:[0-9a-fA-F]*:[0-9a-fA-F:.]*")
_PATH: Final = re.compile(r"/[^\s'\"]+")
_NOT_NEWS: Final = ("Invalid HTTP request", "Unsupported upgrade request", "No supported WebSocket library")
"""Beginnings of messages about what anybody can send: they could fill the log with them."""


class JsonFormatter(logging.Formatter):
    """One line of JSON a message, without paths and addresses: a path may hold the code of a private table."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line. Of an error it has the kind and the places, not its words."""
        line: dict[str, Any] = {
            "event": "server",
            "message": _PATH.sub("/...", _ADDRESS.sub("...", record.getMessage()))[:500],
            "level": record.levelname.lower(),
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(),
        }
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            frames = traceback.extract_tb(error.__traceback__)
            line["error"] = type(error).__name__
            line["places"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
        return json.dumps(line)


def configure() -> None:
    """Let the server's loggers write such lines, of warnings and what is worse."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    handler.addFilter(_is_news)
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").handlers = []
    logging.getLogger("uvicorn.error").propagate = True


def _is_news(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_NOT_NEWS)
