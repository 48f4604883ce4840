"""What a WSGI server is pointed at: ``gunicorn wsgi:app``. Settings come from the environment."""

from webapp.app import create_app
from webapp.services.operations import house_lock
from webapp.web.templating.static_files import serve_compressed

app = create_app()
serving = house_lock.hold(app.extensions["config"].instance)  # until this process ends
app.before_request(app.extensions["housekeeping"].start)  # in each process that serves, not in the one that forks them
serve_compressed(app, app.extensions["config"].instance / "cache" / "static")
