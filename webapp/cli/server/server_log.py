"""Logging of uvicorn and asyncio: their messages as lines of JSON in the log of the site."""

import json
import logging
import re
import traceback
from datetime import UTC, datetime
from typing import Any, Final

LOGGERS: Final = ("uvicorn", "uvicorn.error", "asyncio", "concurrent.futures")
"""Loggers of the server. uvicorn's access log is off: the site itself logs each request."""
_ADDRESS: Final = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b|\b[0-9a-fA-F]*:[0-9a-fA-F]*:[0-9a-fA-F:.]*")
_PATH: Final = re.compile(r"/[^\s'\"]+")
_LEFT_OUT: Final = ("Invalid HTTP request", "Unsupported upgrade request", "No supported WebSocket library")
"""Beginnings of messages that are left out: any client can cause them, and could fill the log."""


class JsonFormatter(logging.Formatter):
    """Formats messages as lines of JSON, without paths and addresses: a path may hold the code of a private table."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line. An exception is logged with its class and traceback, without its message."""
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
    """Set up the server's loggers: warnings and errors, as lines of JSON."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    handler.addFilter(_is_kept)
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").handlers = []
    logging.getLogger("uvicorn.error").propagate = True


def _is_kept(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_LEFT_OUT)
