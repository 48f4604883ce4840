"""A Flask app with one empty view, the unit in which the costs of requests are measured.

It is served as ``tefuda serve`` serves the site. With ``common`` after the port it is served by uvicorn and a2wsgi, as
is common for Flask beside event streams.
"""

import sys

import uvicorn
from flask import Flask, Response

from webapp.adapter import Adapter
from webapp.config import SERVER_THREADS
from webapp.server import config_of, listen

app = Flask("bare", static_folder=None)


@app.route("/", methods=["GET", "POST"])
@app.get("/healthz")
def nothing() -> Response:
    return Response("ok\n", mimetype="text/plain")


def serve(port: int) -> None:
    """Serve the app as the site is served."""
    uvicorn.Server(config_of(Adapter(app, SERVER_THREADS), 1_000)).run([listen("127.0.0.1", port)])


def serve_as_usual(port: int) -> None:
    """Serve the app by uvicorn and a2wsgi, with the same number of threads."""
    from a2wsgi import WSGIMiddleware

    uvicorn.run(WSGIMiddleware(app, workers=SERVER_THREADS), port=port, log_level="error", access_log=False)


if __name__ == "__main__":
    (serve_as_usual if "common" in sys.argv[2:] else serve)(int(sys.argv[1]))
