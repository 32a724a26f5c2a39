"""Passes in Beam pipelines: the engine, a pipeline under way, and what a Beam worker runs."""
