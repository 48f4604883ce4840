"""Games that are not part of the site: each is a folder here, and no file of the site refers to it."""
