"""Examples from dicts, as TFX's dict_to_example makes them."""

import math

import numpy as np
import pytest
import tensorflow as tf
from google.protobuf import text_format

from trainwright.components.example_gen.dict_examples import dict_to_example, serialize_example
from trainwright.data.example_writing.overflows import Overflows
from trainwright.proto import example_gen_pb2

EXAMPLE = example_gen_pb2.FORMAT_TF_EXAMPLE
SEQUENCE_EXAMPLE = example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE
PROTO = example_gen_pb2.FORMAT_PROTO

ROW = {
    "int": 10,
    "float": 5.0,
    "text": "é",
    "bytes": b"\xff",
    "flag": True,
    "ints": [1, 2],
    "floats": [3.0],
    "texts": ["ab", "cd"],
    "none": None,
    "empty": [],
    "array": np.array([1.5, 2.5]),
    "number": np.int64(7),
}
EXPECTED = """
features {
  feature { key: "int" value { int64_list { value: 10 } } }
  feature { key: "float" value { float_list { value: 5.0 } } }
  feature { key: "text" value { bytes_list { value: "\\303\\251" } } }
  feature { key: "bytes" value { bytes_list { value: "\\377" } } }
  feature { key: "flag" value { int64_list { value: 1 } } }
  feature { key: "ints" value { int64_list { value: [1, 2] } } }
  feature { key: "floats" value { float_list { value: 3.0 } } }
  feature { key: "texts" value { bytes_list { value: ["ab", "cd"] } } }
  feature { key: "none" value {} }
  feature { key: "empty" value {} }
  feature { key: "array" value { float_list { value: [1.5, 2.5] } } }
  feature { key: "number" value { int64_list { value: 7 } } }
}
"""


def test_a_dict_becomes_a_tf_example():
    example = dict_to_example(ROW)
    assert isinstance(example, tf.train.Example)
    assert example == text_format.Parse(EXPECTED, tf.train.Example())


def test_a_dict_is_serialized_without_tensorflow(run_script):
    source = """
    import sys
    from trainwright.components.example_gen.dict_examples import serialize_example
    sys.stdout.buffer.write(serialize_example({"age": 3, "name": "Ada"}, 6, "here"))
    assert "tensorflow" not in sys.modules
    """
    serialized = run_script(source).stdout.encode()
    assert tf.train.Example.FromString(serialized) == dict_to_example({"age": 3, "name": "Ada"})


@pytest.mark.parametrize("value", [object(), {"a": 1}, [object()], [[1]], 1j])
def test_other_values_are_refused(value):
    with pytest.raises(RuntimeError, match="The feature 'x' cannot hold"):
        dict_to_example({"x": value})
    with pytest.raises(ValueError, match="here cannot become a tf.Example: The feature"):
        serialize_example({"x": value}, EXAMPLE, "here")


def test_mixed_lists_are_refused():
    with pytest.raises(ValueError, match="here cannot become a tf.Example"):
        serialize_example({"x": [1, 2.5]}, EXAMPLE, "here")


def test_messages_and_bytes_pass():
    example = dict_to_example(ROW)
    expected = example.SerializeToString(deterministic=True)
    assert serialize_example(example, EXAMPLE, "here") == expected
    assert serialize_example(b"anything", PROTO, "here") == b"anything"
    assert serialize_example(example, PROTO, "here") == expected
    sequence = tf.train.SequenceExample()
    assert serialize_example(sequence, SEQUENCE_EXAMPLE, "here") == b""


@pytest.mark.parametrize(
    ("example", "payload_format", "complaint"),
    [
        (tf.train.SequenceExample(), EXAMPLE, "here is a tensorflow.SequenceExample, but the"),
        (tf.train.Example(), SEQUENCE_EXAMPLE, "expected tensorflow.SequenceExample"),
        ("text", EXAMPLE, "here is 'text' of type str: expected a dict, a tf.train.Example or byt"),
        ({"x": 1}, SEQUENCE_EXAMPLE, "of type dict: expected a message or bytes"),
        (None, EXAMPLE, "here is None of type NoneType"),
    ],
)
def test_what_is_no_example_of_the_format_is_refused(example, payload_format, complaint):
    with pytest.raises(TypeError) as raised:
        serialize_example(example, payload_format, "here")
    assert complaint in str(raised.value)


def test_numbers_that_become_infinite_are_counted():
    overflows = Overflows()
    example = {
        "far": [1.5, 1e300, -1e39],
        "array": np.array([1e300]),
        "last": 3.4028235677973362e38,  # the last number that rounds to a finite one
        "infinite": math.inf,
        "none": None,
        "nothing": [],
        "text": ["1e300"],
    }
    serialize_example(example, EXAMPLE, "hook, example 3", overflows)
    assert overflows.found == {
        "far": (2, "1e+300 in hook, example 3"),
        "array": (1, "1e+300 in hook, example 3"),
    }
