"""What a WSGI server is pointed at: ``gunicorn wsgi:app``. Settings come from the environment."""

from webapp.app import create_app

app = create_app()
