"""The event loop of a web process: requests that come and answers that go without a thread, and event streams."""
