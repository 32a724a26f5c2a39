"""Models that an evaluation asks, in each of their formats."""
