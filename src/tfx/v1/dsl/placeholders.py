"""Placeholders of container components, none of which are here yet.

`channel.future()` needs no name from here; `tfx.dsl.placeholder.placeholder` has what combines
conditions.
"""

# Written by scripts/generate_names.py from scripts/names.toml: change that.
