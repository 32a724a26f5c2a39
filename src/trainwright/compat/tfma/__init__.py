"""What pipelines and notebooks take from TensorFlow Model Analysis, on our own code."""
