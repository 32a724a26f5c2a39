"""Metrics that Keras and Estimators bring with a model."""
