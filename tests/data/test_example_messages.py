"""The messages are TensorFlow's on the wire, and cost nothing of TensorFlow."""

import pytest
import tensorflow as tf

from trainwright.data.example_messages import example_class, sequence_example_class


def fill(features):
    features.feature["int"].int64_list.value.extend([-1, 2**40])
    features.feature["float"].float_list.value.extend([0.5, -2.0])
    features.feature["bytes"].bytes_list.value.extend([b"", b"\xff"])
    features.feature["none"].SetInParent()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (example_class(), tf.train.Example),
        (sequence_example_class(), tf.train.SequenceExample),
    ],
)
def test_the_bytes_are_tensorflow_s(ours, theirs):
    messages = [ours(), theirs()]
    for message in messages:
        fill(message.features if hasattr(message, "features") else message.context)
        if hasattr(message, "feature_lists"):
            tokens = message.feature_lists.feature_list["tokens"]
            tokens.feature.add().bytes_list.value.append(b"a")
            tokens.feature.add().int64_list.value.append(3)
    first, second = (message.SerializeToString(deterministic=True) for message in messages)
    assert first == second
    assert theirs.FromString(first) == messages[1]
    assert ours.FromString(second) == messages[0]


def test_tensorflow_is_not_imported(run_script):
    source = """
    import sys
    from trainwright.data.example_messages import example_class
    example_class()()
    print("tensorflow" in sys.modules)
    """
    assert run_script(source).stdout == "False\n"
