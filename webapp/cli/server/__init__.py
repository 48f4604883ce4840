"""uvicorn as `tefuda serve` runs it."""
