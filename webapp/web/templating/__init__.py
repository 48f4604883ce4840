"""Templates: the Jinja environment, rendering, static files, charts, QR codes."""
