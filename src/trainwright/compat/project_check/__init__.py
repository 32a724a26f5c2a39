"""Project check: which parts of a TFX project run here; its files are read and never run."""
