"""What of a TFX project is here: its files are read, and nothing of them is run."""
