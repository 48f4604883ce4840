"""Games that are not the site's own: each is a folder here, and no file of the site knows of it."""
