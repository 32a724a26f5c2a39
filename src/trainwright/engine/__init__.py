"""Engines, which run passes over data."""
