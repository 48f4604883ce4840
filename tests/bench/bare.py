"""A Flask app with one empty view, the unit in which the cost of an action is measured.

gunicorn's threads serve it, as they do in many Flask sites; it imports nothing of ours, so that the unit stays as it is.
"""

from flask import Flask, Response

app = Flask("bare", static_folder=None)


@app.route("/", methods=["GET", "POST"])
@app.get("/healthz")
def nothing() -> Response:
    return Response("ok\n", mimetype="text/plain")
