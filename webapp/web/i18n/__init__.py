"""Words in the language of the page: translations, messages, names, refusals."""
