"""Views: each finds out who asks, calls a service, and answers."""
