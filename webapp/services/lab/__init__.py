"""Simulation jobs: the queue, the supervisor and its pool of processes."""
