"""Batches of examples, with what models say about them."""
