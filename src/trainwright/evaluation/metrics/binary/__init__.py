"""Metrics of two classes."""
