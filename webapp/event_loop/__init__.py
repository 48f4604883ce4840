"""The asynchronous part of a web process: connections, limits, hand-over of requests to threads, event streams."""
