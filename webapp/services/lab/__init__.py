"""Simulation jobs: the jobs, their queue, and the supervisor that plays them with a pool of processes."""
