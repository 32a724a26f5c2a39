"""What code around an ExampleGen calls: default configs, split names, names of properties."""

from __future__ import annotations

from trainwright.components.example_gen import split_config
from trainwright.components.example_gen.driver import SPAN, VERSION
from trainwright.components.example_gen.split_config import InputLike, OutputLike
from trainwright.proto import example_gen_pb2
from trainwright.types.payload_format import FILE_FORMAT, PAYLOAD_FORMAT

# Custom properties of an Examples artifact.
PAYLOAD_FORMAT_PROPERTY_NAME = PAYLOAD_FORMAT
FILE_FORMAT_PROPERTY_NAME = FILE_FORMAT
FINGERPRINT_PROPERTY_NAME = "input_fingerprint"
SPAN_PROPERTY_NAME = SPAN
VERSION_PROPERTY_NAME = VERSION

# Placeholders in the patterns of input splits.
SPAN_SPEC = "{SPAN}"
VERSION_SPEC = "{VERSION}"
YEAR_SPEC = "{YYYY}"
MONTH_SPEC = "{MM}"
DAY_SPEC = "{DD}"
DATE_SPECS = [YEAR_SPEC, MONTH_SPEC, DAY_SPEC]


def make_default_input_config(split_pattern: str = "*") -> example_gen_pb2.Input:
    """An input config with one split, of the files that match a pattern.

    >>> make_default_input_config("*.csv").splits[0].pattern
    '*.csv'
    """
    return split_config.make_input_config(
        {"splits": [{"name": "single_split", "pattern": split_pattern}]}
    )


def make_default_output_config(input_config: InputLike) -> example_gen_pb2.Output:
    """The output config that is used where none is given: train and eval, or the input's splits."""
    return split_config.make_output_config(split_config.make_input_config(input_config), None)


def generate_output_split_names(input_config: InputLike, output_config: OutputLike) -> list[str]:
    """The names of the splits that an ExampleGen with these configs writes.

    Raises:
        RuntimeError: if both configs have several splits.
        ValueError: if a name or a pattern is missing, or a name is used twice.

    >>> generate_output_split_names(make_default_input_config(), {"split_config": {"splits": [
    ...     {"name": "train", "hash_buckets": 4}, {"name": "eval", "hash_buckets": 1}]}})
    ['train', 'eval']
    """
    resolved_input = split_config.make_input_config(input_config)
    given = split_config.parse_config(output_config, example_gen_pb2.Output())
    if not given.split_config.splits:
        return [split.name for split in resolved_input.splits]
    resolved_output = split_config.make_output_config(resolved_input, given)
    return split_config.output_split_names(resolved_input, resolved_output)
