"""One module a use case. Here transactions begin and end, randomness is drawn and chips move.

Models are used nowhere above.
"""
