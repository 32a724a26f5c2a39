"""What pipelines and notebooks take from TensorFlow Data Validation, on our own code."""
