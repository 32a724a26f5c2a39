"""Messages of TensorFlow Data Validation that tensorflow-metadata does not have: feature skew."""
