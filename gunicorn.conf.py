"""Settings of ``gunicorn wsgi:app``, read by gunicorn from the folder in which it is started.

By itself gunicorn has one thread, and one live line to a table would keep it for ever. Those settings that a command
line names are its own: ``gunicorn --workers 4 wsgi:app`` where the database is PostgreSQL.
"""

import os

from webapp.cli.server.gunicorn_settings import settings
from webapp.config import Config, instance_folder
from webapp.services.operations import metrics

if os.environ.get("TEFUDA_METRICS_TOKEN"):
    metrics.share_among_processes(instance_folder(os.environ))

globals().update(settings(Config.from_environ(os.environ)))
