"""Metrics by class name, as TFMA and Keras call them."""
