"""TFX's paths to executors for FileBasedExampleGen."""
