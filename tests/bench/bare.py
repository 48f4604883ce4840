"""The measure of all things: a Flask app that does nothing, served as ``tefuda serve`` serves ours."""

import sys

from flask import Flask, Response

from webapp.cli.server import process
from webapp.cli.server.web_server import WebServer, listen
from webapp.config import SERVER_THREADS
from webapp.event_loop.asgi import EventLoopApp

app = Flask("bare", static_folder=None)


@app.route("/", methods=["GET", "POST"])
@app.get("/healthz")
def nothing() -> Response:
    return Response("ok\n", mimetype="text/plain")


if __name__ == "__main__":
    process.tune()
    site = EventLoopApp(app, SERVER_THREADS, counts=False, begin=lambda: None)
    WebServer(site, end_streams=lambda: None, connections=1_000, counts=False).serve_at(
        listen("127.0.0.1", int(sys.argv[1]))
    )
