"""Mistakes in a preprocessing function are told in its own words and lines."""

from __future__ import annotations

import logging
import re

import pytest

NOTHING = type(None)

# A source, how the message about it begins, and the error that is behind. A module's own lines
# begin with the fourth, after what the fixture puts before them.
MISTAKES = {
    "a feature that is not there": (
        """\
        def preprocessing_fn(inputs):
            outputs = inputs.copy()
            return {"x": tft.scale_to_z_score(outputs["cuont"])}
        """,
        "preprocessing_fn asked for the feature 'cuont' at {file} line 6; did you mean 'count'? "
        "Known are 'count', 'maybe', 'word', 'x'.",
        KeyError,
    ),
    "a key of another dict": (
        """\
        NAMES = {"first": "x"}
        def preprocessing_fn(inputs):
            return {"x": inputs[NAMES["second"]]}
        """,
        "preprocessing_fn failed at {file} line 6: KeyError: 'second'",
        KeyError,
    ),
    "a wrong dtype": (
        """\
        def preprocessing_fn(inputs):
            together = inputs["x"] + inputs["count"]
            return {"x": together}
        """,
        "preprocessing_fn failed at {file} line 5: TypeError: Input 'y' of 'AddV2' Op has type "
        "int64 that does not match type float32",
        TypeError,
    ),
    "an error in a helper": (
        """\
        def halve(tensor):
            return tensor / hlaf
        def preprocessing_fn(inputs):
            return {"x": halve(inputs["x"])}
        """,
        "preprocessing_fn failed at {file} line 5: NameError: name 'hlaf' is not defined",
        NameError,
    ),
    "an analyzer of numbers on words": (
        """\
        def preprocessing_fn(inputs):
            return {"word": tft.scale_to_z_score(inputs["word"])}
        """,
        "preprocessing_fn failed at {file} line 5: TypeError: Tensor type tf.string is not",
        TypeError,
    ),
    "no dict": (
        """\
        def preprocessing_fn(inputs):
            return [inputs["x"]]
        """,
        "preprocessing_fn returned [<tf.Tensor",
        NOTHING,
    ),
    "nothing": (
        """\
        def preprocessing_fn(inputs):
            pass
        """,
        "preprocessing_fn returned None. Expected a dict with at least one tensor",
        NOTHING,
    ),
    "a dict of something else": (
        """\
        def preprocessing_fn(inputs):
            return {"x": 3.0}
        """,
        "The output 'x' of preprocessing_fn is 3.0, a float. Expected a tensor",
        NOTHING,
    ),
    "a type that examples do not hold": (
        """\
        def preprocessing_fn(inputs):
            is_big = inputs["x"] > 5.0
            return {"is_big": is_big}
        """,
        "The output 'is_big' of preprocessing_fn at {file} line 5 is of type bool. Examples hold "
        "float32, int64 and string: write tf.cast(..., tf.int64).",
        NOTHING,
    ),
    "one number for all examples": (
        """\
        def preprocessing_fn(inputs):
            return {"mean": tft.mean(inputs["x"])}
        """,
        "The output 'mean' of preprocessing_fn at {file} line 5 has the shape () whatever",
        NOTHING,
    ),
    "a fixed number of rows": (
        """\
        def preprocessing_fn(inputs):
            return {"x": tf.constant([1.0, 2.0])}
        """,
        "The output 'x' of preprocessing_fn at {file} line 5 has the shape (2,) whatever",
        NOTHING,
    ),
    "rows that are filtered": (
        """\
        def preprocessing_fn(inputs):
            x = inputs["x"][:, 0]
            return {"big": tf.boolean_mask(x, x > 3.0)}
        """,
        "The output 'big' of preprocessing_fn at {file} line 6 has 5 rows for 12 examples.",
        NOTHING,
    ),
    "rows without a fixed length": (
        """\
        def preprocessing_fn(inputs):
            return {"maybe": tf.sparse.to_dense(inputs["maybe"])}
        """,
        "The output 'maybe' of preprocessing_fn at {file} line 5 has the shape (None, None). Dense "
        "tensors are written with a fixed number of values in each row",
        ValueError,
    ),
    "another order of analyzers each time": (
        """\
        names = ["x", "count"]
        def preprocessing_fn(inputs):
            names.reverse()
            return {
                name: tft.scale_to_z_score(tf.cast(inputs[name], tf.float32))
                for name in names
            }
        """,
        "preprocessing_fn does not do the same each time it is called",
        RuntimeError,
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told(transform, mistake):
    source, message, cause = MISTAKES[mistake]
    with pytest.raises(ValueError) as caught:
        transform(source, disable_statistics=True)
    told = re.sub(r"features\d+\.py", "{file}", str(caught.value))
    assert told.startswith(message)
    assert isinstance(caught.value.__cause__, cause)


def test_mistakes_of_functions_for_tensorflow_1(transform):
    source = """\
    def preprocessing_fn(inputs):
        return {"x": inputs["y"]}
    """
    with pytest.raises(ValueError, match=r"asked for the feature 'y' at features\d+.py line 5"):
        transform(source, force_tf_compat_v1=True)


def remarks(transformed) -> str:
    return transformed.artifacts["transform_graph"][0].get_string_custom_property("summary")


def test_a_number_that_changes_from_call_to_call(transform, caplog):
    told = remarks(
        transform(
            """\
            calls = []
            def preprocessing_fn(inputs):
                calls.append(1)
                x = inputs["x"] * len(calls)
                return {"x": tft.scale_to_z_score(x)}
            """,
            disable_statistics=True,
        )
    )
    assert re.search(r"not do the same each time .* at features\d+.py line 7", told)
    assert "global variable" in caplog.text


def test_an_output_that_depends_on_the_batch(transform, caplog):
    told = remarks(
        transform(
            """\
            def preprocessing_fn(inputs):
                x = inputs["x"]
                scaled = x / tf.reduce_max(x)
                return {"scaled": scaled, "x": x, "maybe": inputs["maybe"]}
            """,
            disable_statistics=True,
        )
    )
    assert re.search(r"The output 'scaled' .* at features\d+.py line 6 depends on the batch", told)
    assert "'x'" not in told
    assert "'maybe'" not in told
    assert "tft.max instead of tf.reduce_max" in caplog.text


def test_data_that_does_not_fit_the_schema(transform):
    source = """\
    def preprocessing_fn(inputs):
        return {"out": tft.scale_to_0_1(inputs["FEATURE"])}
    """
    wrong_type = 'feature { name: "x" type: INT presence { min_fraction: 1 } shape {} }'
    with pytest.raises(ValueError, match="'x' holds float values in .*, and the schema says int64"):
        transform(source.replace("FEATURE", "x"), schema=wrong_type)
    wrong_shape = 'feature { name: "maybe" type: FLOAT presence { min_fraction: 1 } shape {} }'
    with pytest.raises(
        ValueError, match="'maybe' has, in some examples of .*, another number of values"
    ):
        transform(source.replace("FEATURE", "maybe"), schema=wrong_shape)


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ("", "has no features"),
        ('feature { name: "x" type: FLOAT deprecated: true }', "has only features that are not"),
    ],
)
def test_a_schema_without_features(transform, schema, found):
    source = """\
    def preprocessing_fn(inputs):
        return {"x": inputs["x"]}
    """
    with pytest.raises(ValueError, match=f"^The schema .*{found}.* SchemaGen infer"):
        transform(source, schema=schema)


def test_outputs_of_a_saved_model_and_of_a_checkpoint(transform, tmp_path):
    """Operations that were read from files have no lines of the user's."""
    source = f"""\
    from tensorflow_transform import pretrained_models
    DIRECTORY = {str(tmp_path)!r}
    tf1 = tf.compat.v1

    def double(x):
        return x * tf1.get_variable("two", initializer=2.0)

    with tf1.Graph().as_default(), tf1.Session() as session:
        x = tf1.placeholder(tf.float32, [None])
        y = double(x)
        session.run(tf1.global_variables_initializer())
        tf1.saved_model.simple_save(session, DIRECTORY + "/model", {{"x": x}}, {{"y": y}})
        tf1.train.Saver().save(session, DIRECTORY + "/weights", write_state=False)

    def preprocessing_fn(inputs):
        x = inputs["x"]
        return {{
            "x": x,
            "model": pretrained_models.apply_saved_model(DIRECTORY + "/model", x, ["serve"]),
            "checkpoint": pretrained_models.apply_function_with_checkpoint(
                double, [x], DIRECTORY + "/weights"
            ),
        }}
    """
    for row in transform(source, disable_statistics=True).rows("eval"):
        assert row["model"] == row["checkpoint"] == 2 * row["x"]


def test_a_function_without_mistakes_leaves_no_remarks(transform, caplog):
    with caplog.at_level(logging.WARNING, "trainwright"):
        transformed = transform(
            """\
            def preprocessing_fn(inputs):
                assert inputs.get("y") is None and "y" not in inputs
                word = tft.compute_and_apply_vocabulary(inputs["word"])
                x = tft.scale_to_z_score(inputs["x"])
                return {"word": word, "x": x, "maybe": tf.RaggedTensor.from_sparse(inputs["maybe"])}
            """
        )
    assert remarks(transformed) == ""
    assert not [record for record in caplog.records if record.name.startswith("trainwright")]
