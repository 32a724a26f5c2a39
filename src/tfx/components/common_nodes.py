"""TFX's oldest path to nodes; it has no names."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.
