"""Components made from functions."""
