"""The server of ``tefuda serve``: uvicorn, its settings and its log."""
