"""Between the site and open pages: event streams, watchers and heartbeats."""
