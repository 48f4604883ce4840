"""The live layer of shared tables: event streams, pub/sub between processes, watchers, reactions and heartbeats."""
