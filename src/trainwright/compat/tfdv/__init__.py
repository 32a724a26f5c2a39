"""TensorFlow Data Validation's names for pipelines and notebooks, on our own code."""
