"""Every JSON answer as a dataclass: from them come the JSON, ``GET /openapi.json`` and the tables of ``docs/api.md``.

The text in ``Annotated`` describes a field to those who read the interface.
"""
