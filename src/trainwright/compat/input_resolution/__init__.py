"""TFX's operators and functions for choosing inputs, and how compiled pipelines evaluate them."""
