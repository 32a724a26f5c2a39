"""Helpers that module files and executors call."""
