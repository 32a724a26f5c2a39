"""TFX's paths to extensions that are experimental there."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.
