"""Thresholds: whether a model is good enough."""
