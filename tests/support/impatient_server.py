"""``tefuda`` that waits four seconds instead of ten for clients who do not go on: tests need not wait longer either."""

from webapp.event_loop import requests

IMPATIENCE = 4

if __name__ == "__main__":
    requests.PATIENCE = IMPATIENCE  # before anybody imports the name
    from webapp.cli import main

    main()
