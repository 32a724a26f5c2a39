"""Execution: what happens in a node's own process."""
