"""Views: each determines the visitor, calls a service, and returns the answer."""
