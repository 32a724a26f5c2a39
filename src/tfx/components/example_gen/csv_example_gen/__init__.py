"""TFX's paths to CsvExampleGen."""
