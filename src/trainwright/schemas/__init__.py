"""Schemas: inferred from statistics, fitted to more of them, held against them, compared.

The package knows the protos of TensorFlow Metadata and nothing of pipelines.
"""
