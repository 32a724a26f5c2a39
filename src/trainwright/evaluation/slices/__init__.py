"""Slices: which examples belong to which, and the results of each."""
