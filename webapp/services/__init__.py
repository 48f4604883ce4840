"""One module a use case. Here transactions begin and end, chance is drawn and chips move; only here are models used."""
