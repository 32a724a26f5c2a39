"""Nodes on a Ray cluster: a host process for each, and what it needs on its machine."""
