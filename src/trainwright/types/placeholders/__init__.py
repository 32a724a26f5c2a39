"""Placeholders: values that are known when a node runs."""
