"""Values of the hands of a split."""
