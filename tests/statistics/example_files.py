"""Example files for tests, written without TensorFlow."""

from __future__ import annotations

from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import open_gzip_writer


def make_example(features):
    """A serialized tf.Example; None makes a feature without a kind, a list its values."""
    example = example_class()()
    for name, values in features.items():
        feature = example.features.feature[name]
        if values is None:
            feature.SetInParent()
        elif all(isinstance(value, bytes) for value in values) and values:
            feature.bytes_list.value.extend(values)
        elif any(isinstance(value, float) for value in values):
            feature.float_list.value.extend(values)
        else:
            feature.int64_list.value.extend(values)
            feature.int64_list.SetInParent()
    return example.SerializeToString(deterministic=True)


def write_examples(path, rows):
    """A gzip TFRecord file of tf.Examples, one for each dict; returns its path."""
    return write_records(path, [make_example(row) for row in rows])


def write_records(path, records):
    with open_gzip_writer(path) as write:
        write(records)
    return path
