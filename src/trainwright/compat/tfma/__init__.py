"""TensorFlow Model Analysis' names for pipelines and notebooks, on our own code."""
