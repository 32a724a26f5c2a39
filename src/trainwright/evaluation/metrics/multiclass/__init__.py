"""Metrics of several classes or labels."""
