"""Messages of TensorFlow Model Analysis: what an evaluation is told, found and decided."""
