"""Error hints: what errors of an analysis or of a pass mean for a preprocessing function."""

from __future__ import annotations

import re

from tensorflow_transform import impl_helper

from trainwright.components.transform.preprocessing_function import PreprocessingFunction
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.engine import ShardError

_TRIES = 5
_CHANGES = "appears to be non-deterministic"
_UNKNOWN_SHAPE = re.compile(r"Feature (?P<name>\S+) \(.*\) had invalid shape (?P<shape>.*) for Fix")
# What TensorFlow's parser says of records that do not fit the schema.
_OTHER_TYPE = re.compile(
    r"Key: (?P<name>[^,]+), Index: \d+\.\s+Data types don't match\. "
    r"Data type: (?P<found>\w+) but expected type: (?P<expected>\w+)"
)
_OTHER_NUMBER = re.compile(r"Key: (?P<name>[^,]+), Index: \d+\.\s+Number of \w+ values != expected")
_MISSING = re.compile(r"Feature: (?P<name>\S+) \(data type: \w+\) is required but could not be")


def explain(
    error: Exception, function: PreprocessingFunction, examples: ExampleFiles, directory: str
) -> str | None:
    """What an error comes from, in the user's words and lines; None if nothing better is known.

    Args:
        error: What was raised.
        function: The user's function.
        examples: What its inputs come from.
        directory: For temporary files.
    """
    message = str(error)
    if _CHANGES in message:
        return describe_difference(_find_difference(function, examples, directory))
    if unknown := _UNKNOWN_SHAPE.search(message):
        return (
            f"{function.describe(unknown['name'])} has the shape {unknown['shape']}. Dense tensors "
            "are written with a fixed number of values in each row: give it one with tf.reshape "
            "or tf.ensure_shape, or return a sparse or ragged tensor."
        )
    if isinstance(error, ShardError):
        return _explain_data(error)
    return None


def _explain_data(error: ShardError) -> str | None:
    message = str(error)
    if other := _OTHER_TYPE.search(message):
        return (
            f"Feature {other['name']!r} holds {other['found']} values in {error.shard}, and the "
            f"schema says {other['expected']}. Correct the data, or the type in the schema."
        )
    if other := _OTHER_NUMBER.search(message) or _MISSING.search(message):
        return (
            f"Feature {other['name']!r} has, in some examples of {error.shard}, another number of "
            "values than the shape in the schema says (an empty cell of a CSV file has none). "
            "Leave the shape and min_fraction out of the schema: preprocessing_fn gets a "
            "SparseTensor then, and tf.sparse.to_dense(..., default_value=...) fills the gaps."
        )
    return None


def describe_difference(line: str) -> str:
    """What it means that two calls of a function part at a line."""
    return (
        "preprocessing_fn does not do the same each time it is called"
        f"{line and f'; the first difference is{line}'}. It is called several times, to find the "
        "analyzers and to put their results in, which may be wrong now. Nothing in it may come "
        "from random numbers, the clock, a global variable that changes, or the order of a set."
    )


def _find_difference(
    function: PreprocessingFunction, examples: ExampleFiles, directory: str
) -> str:
    """Calls the function until it differs, which chance may delay."""
    type_specs = examples.parser().type_specs()
    for _ in range(_TRIES):
        if function.traces.difference is None:
            impl_helper.trace_preprocessing_function(
                function, type_specs, use_tf_compat_v1=False, base_temp_dir=directory
            )
    return function.traces.difference or ""
