"""What goes on between the site and open pages: event streams, watchers and heartbeats."""
