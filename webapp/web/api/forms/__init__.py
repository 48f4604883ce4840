"""Forms and queries as dataclasses: what a request may carry.

Values stay text; ``webapp.web.api.fields`` parses them.
"""
