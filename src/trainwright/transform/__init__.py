"""tf.Transform on our engine: its tracing and its combiners, without Beam."""
