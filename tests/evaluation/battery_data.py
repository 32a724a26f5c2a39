"""Examples that a battery of evaluations shares: predictions, labels and features to slice by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import open_gzip_writer

ROWS = 240
SPECIES = ("Adelie", "Chinstrap", "Gentoo")

# The second file begins with examples that lack the features that some have.
_FILES = 3


def make_rows() -> list[dict[str, Any]]:
    """Rows with everything that the cases need; None is a feature that is missing."""
    source = np.random.default_rng(17)
    return [_make_row(source, number) for number in range(ROWS)]


def _make_row(source: np.random.Generator, number: int) -> dict[str, Any]:
    label = int(source.random() < 0.4)
    class_number = int(source.integers(0, 3))
    x = float(np.clip(source.normal(0.35 + 0.3 * label, 0.2), 0.01, 0.99))
    logits = source.normal(size=3) + 1.2 * np.eye(3)[class_number]
    probabilities = np.exp(logits) / np.exp(logits).sum()
    tags = [str(tag) for tag in source.choice(["a", "b", "c", "a"], source.integers(0, 4))]
    hours = [int(hour) for hour in source.integers(6, 9, source.integers(1, 3))]
    minutes = float(source.gamma(2.0, 4.0))
    return {
        "x": x,
        "y": minutes + float(source.normal()),
        "p": [float(one) for one in probabilities],
        "label": label,
        "minutes": minutes,
        "kind": "good" if label else "bad",
        "class_number": class_number,
        "class_vector": [float(one) for one in np.eye(3)[class_number]],
        "species": SPECIES[class_number],
        "weight": float(source.integers(0, 5)) / 2,
        "town": None if source.random() < 0.1 else str(source.choice(["Ulm", "Bonn", "Köln"])),
        "year": None if source.random() < 0.1 else int(source.integers(2007, 2010)),
        "size": float(source.choice([0.5, 1.25, 2.0])),
        "zip": str(source.choice(["12", "7"])),
        "tags": tags or None,
        "hours": hours,
        "rare": "yes" if number % 60 == 59 else None,
    }


def write_examples(directory: Path) -> None:
    """Writes the rows into several files."""
    rows = make_rows()
    directory.mkdir(parents=True)
    for number in range(_FILES):
        path = directory / f"data_tfrecord-{number:05}-of-{_FILES:05}.gz"
        with open_gzip_writer(path) as write_all:
            write_all([make_example(**row) for row in rows[number::_FILES]])


def make_example(**features: Any) -> bytes:
    """A serialized tf.Example: numbers with a point are floats, texts bytes; None is left out."""
    example = example_class()()
    for name, value in features.items():
        if value is None:
            continue
        values = value if isinstance(value, list) else [value]
        feature = example.features.feature[name]
        if isinstance(values[0], float):
            feature.float_list.value.extend(values)
        elif isinstance(values[0], int):
            feature.int64_list.value.extend(values)
        else:
            feature.bytes_list.value.extend(text.encode() for text in values)
    return example.SerializeToString()
