"""What a WSGI server is pointed at: ``gunicorn wsgi:app``. Settings come from the environment."""

from webapp.app import create_app
from webapp.web.templating.static_files import serve_compressed

app = create_app()
serve_compressed(app, app.extensions["config"].instance / "cache" / "static")
