"""Files of small raw examples, their schema, and what modules for them begin with."""

from __future__ import annotations

from pathlib import Path

from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.types.standard_artifacts import Examples

SCHEMA = """
feature { name: "x" type: FLOAT presence { min_fraction: 1 } shape { dim { size: 1 } } }
feature { name: "count" type: INT presence { min_fraction: 1 } shape { dim { size: 1 } } }
feature { name: "word" type: BYTES presence { min_fraction: 1 } shape { dim { size: 1 } } }
feature { name: "maybe" type: FLOAT }
"""

PRELUDE = """\
import random
import tensorflow as tf
import tensorflow_transform as tft
"""


def make_record(number: int) -> bytes:
    example = example_class()()
    features = example.features.feature
    features["x"].float_list.value.append(number / 2)
    features["count"].int64_list.value.append(number)
    features["word"].bytes_list.value.append(b"abc"[number % 3 : number % 3 + 1])
    if number % 4:
        features["maybe"].float_list.value.append(number)
    return example.SerializeToString()


def write_examples(directory: Path, **splits: list[list[int]]) -> Examples:
    """Examples with these numbers in these files of these splits."""
    for split, files in splits.items():
        (directory / f"Split-{split}").mkdir(parents=True)
        for number, rows in enumerate(files):
            path = directory / f"Split-{split}" / f"data-{number:05}-of-{len(files):05}.gz"
            with open_gzip_writer(path) as write:
                write([make_record(row) for row in rows])
    artifact = Examples()
    artifact.uri = str(directory)
    artifact.splits = list(splits)
    return artifact
