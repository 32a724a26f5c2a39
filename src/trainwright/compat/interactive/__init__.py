"""Displays of artifacts in the cells of a notebook."""
