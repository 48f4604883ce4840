"""Tefuda: a free card room in the browser.

Nothing is imported here, so that ``import webapp.engine`` costs no web framework.
"""
