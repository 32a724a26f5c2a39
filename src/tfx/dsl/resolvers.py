"""An empty package of TFX."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.
