"""The apps for other servers: a bare Flask app or the site, with the process tuned as in ``tefuda serve``.

``BENCH_APP`` is ``bare`` or ``site``. ``app`` is for WSGI servers, ``own`` for ASGI servers with our adapter,
``common`` for those with a2wsgi.
"""

import os
from typing import Any

from tests.bench.bare import app as bare_app
from webapp.cli.server import process
from webapp.config import SERVER_THREADS
from webapp.event_loop.asgi import EventLoopApp


def _apps() -> tuple[Any, Any]:
    if os.environ["BENCH_APP"] == "bare":
        return bare_app, EventLoopApp(bare_app, SERVER_THREADS, counts=False, begin=lambda: None)
    import wsgi

    return wsgi.app, wsgi.asgi


app, own = _apps()
process.tune()


def common() -> Any:
    from a2wsgi import WSGIMiddleware

    return WSGIMiddleware(app, workers=SERVER_THREADS)
