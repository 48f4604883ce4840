"""The apps for other servers: a bare Flask app or the site.

``BENCH_APP`` is ``bare`` or ``site``. ``app`` is for WSGI servers, ``own`` for ASGI servers with our adapter,
``common`` for those with a2wsgi.
"""

import os
from typing import Any

from tests.bench.bare import app as bare_app
from webapp.adapter import Adapter
from webapp.config import SERVER_THREADS


def _apps() -> tuple[Any, Any]:
    if os.environ["BENCH_APP"] == "bare":
        return bare_app, Adapter(bare_app, SERVER_THREADS)
    import wsgi

    return wsgi.app, wsgi.asgi


app, own = _apps()


def common() -> Any:
    from a2wsgi import WSGIMiddleware

    return WSGIMiddleware(app, workers=SERVER_THREADS)
