"""Shared parts of all blueprints: the visitor, the language, answers as page, fragment or JSON, and refusals."""
