"""What a server is pointed at: ``asgi`` for an ASGI server, ``app`` for a WSGI server. ``tefuda serve`` needs neither.

Settings come from the environment. A WSGI server has no event streams: pages of shared tables ask from time to time.
"""

import os
from functools import partial

import structlog

from webapp.app import create_app
from webapp.config import gone_settings
from webapp.server import asgi_app
from webapp.services.lab import supervisor
from webapp.services.operations import serving_lock
from webapp.web.templating.static_files import serve_compressed

app = create_app()
for gone in gone_settings(os.environ):
    structlog.get_logger().warning("setting", message=gone)
serving = serving_lock.hold(app.extensions["config"].instance)  # until this process ends
app.before_request(app.extensions["timer"].start)  # in each process that serves, not in the one that forks them
app.before_request(partial(supervisor.start, app.extensions["config"], app.app_context))
serve_compressed(app, app.extensions["config"].instance / "cache" / "static")
asgi = asgi_app(app)
