"""Passes on a Ray cluster: the engine, the work of one pass, and what a Ray worker runs."""
