"""The measure of all things: a Flask app that does nothing, served as ``tefuda serve`` serves ours."""

import sys

from flask import Flask, Response

from webapp.cli.serve import Server
from webapp.config import SERVER_THREADS

app = Flask("bare", static_folder=None)


@app.route("/", methods=["GET", "POST"])
@app.get("/healthz")
def nothing() -> Response:
    return Response("ok\n", mimetype="text/plain")


if __name__ == "__main__":
    options = {
        "bind": f"127.0.0.1:{sys.argv[1]}",
        "worker_class": "gthread",
        "workers": 1,
        "threads": SERVER_THREADS,
        "keepalive": 30,
        "graceful_timeout": 5,
        "control_socket_disable": True,
        "loglevel": "warning",
    }
    Server(app, options).run()
