"""From the JSON of a request to arrays, and back."""

import json

import numpy as np
import pytest

from trainwright.serving.batching import compute
from trainwright.serving.errors import RequestError
from trainwright.serving.requests import make_call, parse_body


@pytest.fixture
def ask(served_model):
    """The answer to a document; errors are raised."""

    def ask(document, verb="predict"):
        body = json.dumps(document).encode()
        (answer,) = compute(served_model, [make_call(verb, parse_body(body), served_model)])
        if isinstance(answer, Exception):
            raise answer
        return json.loads(answer)

    return ask


NAMED = {"number": 0.5, "count": 3, "word": "ä", "flag": True}


def test_rows_of_the_only_input_need_no_name(ask):
    assert ask({"instances": [[1, 2], [0.1, 0.2]]}) == {"predictions": [3.0, 0.3]}
    assert ask({"instances": [{"x": [1, 2]}]}) == {"predictions": [3.0]}
    assert ask({"inputs": [[1, 2]]}) == {"outputs": [3.0]}
    assert ask({"inputs": {"x": [[1, 2]]}}) == {"outputs": [3.0]}


def test_rows_and_columns_of_several_inputs(ask):
    row = {"shout": "Ä", "total": 1.5, "unlike": False, "word_bytes": {"b64": "w6T/"}}
    row["shout"] = "ä"  # TensorFlow's upper is for ASCII
    named = {"signature_name": "named"}
    assert ask({**named, "instances": [NAMED, NAMED]}) == {"predictions": [row, row]}
    columns = {name: [value] for name, value in NAMED.items()}
    assert ask({**named, "inputs": columns}) == {
        "outputs": {name: [value] for name, value in row.items()}
    }


def test_serialized_examples_are_sent_in_base64(ask):
    import base64

    import tensorflow as tf

    example = tf.train.Example()
    example.features.feature["x"].float_list.value[:] = [1, 2]
    encoded = {"b64": base64.b64encode(example.SerializeToString()).decode()}
    request = {"signature_name": "serialized", "instances": [encoded, {"examples": encoded}]}
    with pytest.raises(RequestError, match=r"instances\[1\] is an object"):
        ask(request)
    request["instances"] = [encoded, encoded]
    assert ask(request) == {"predictions": [3.0, 3.0]}
    request["instances"] = [{"examples": encoded}]
    assert ask(request) == {"predictions": [3.0]}


def test_classify_and_regress_make_examples_of_features(ask):
    document = {"signature_name": "classify", "examples": [{"x": [0.25, 0.75]}]}
    assert ask(document, "classify") == {"results": [[["low", 0.25], ["high", 0.75]]]}
    document = {"signature_name": "regress", "context": {"x": [1.0, 2.0]}, "examples": [{}, {}]}
    assert ask(document, "regress") == {"results": [3.0, 3.0]}


def test_an_output_without_rows_is_told_as_it_is(ask):
    assert ask({"signature_name": "mean", "inputs": [1, 2, 3]}) == {"outputs": 2.0}
    assert ask({"signature_name": "mean", "instances": [1, 2, 3]}) == {"predictions": 2.0}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({}, 'either "instances".*or "inputs".*has nothing'),
        ({"instance": [1]}, "the body has 'instance'"),
        ({"instances": [[1, 2]], "inputs": [[1, 2]]}, "has 'instances', 'inputs'"),
        ({"instances": []}, "expected a list with a value for each row"),
        ({"instances": {"x": [1, 2]}}, "expected a list with a value for each row"),
        ({"instances": [[1]]}, r"shape \(1, 1\): the model takes float32 of shape \(\?, 2\)"),
        ({"instances": [{"y": [1, 2]}]}, r"instances\[0\] has 'y', which the signature"),
        ({"instances": [{"x": [1, 2]}, 3]}, r"instances\[1\] is 3: expected an object"),
        ({"instances": [[1, 2]], "signature_name": "nmed"}, "did you mean 'named'"),
        ({"instances": [[1, 2]], "signature_name": 3}, "expected a string"),
        ({"signature_name": "named", "instances": [1]}, "takes 4 inputs: expected"),
        ({"signature_name": "named", "inputs": {"word": ["a"]}}, "has no 'count', 'flag'"),
        ({"signature_name": "not_utf8", "instances": ["a"]}, "not UTF-8.*'word_bytes'"),
        ({"instances": [[-1, 2]]}, "minus one is not liked"),
        ({"signature_name": "serialized", "instances": ["no example"]}, "Could not parse"),
    ],
)
def test_what_cannot_be_predicted_is_told(ask, document, message):
    with pytest.raises(RequestError, match=message):
        ask(document)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"examples": [{"x": [1.0, 2.0]}]}, "Name one of 'classify' as"),
        ({"signature_name": "classify"}, '"examples" is missing'),
        ({"signature_name": "classify", "examples": [3]}, r"examples\[0\] is 3"),
        ({"signature_name": "classify", "examples": [{"x": ["a", 1]}]}, r"'x' of examples\[0\]"),
        ({"signature_name": "classify", "examples": [{"x": [2**70]}]}, "whole numbers from"),
        ({"signature_name": "classify", "examples": [{"x": {"y": 1}}]}, "expected a number"),
        ({"signature_name": "classify", "examples": [{}], "context": 1}, '"context" is 1'),
    ],
)
def test_what_cannot_be_classified_is_told(ask, document, message):
    with pytest.raises(RequestError, match=message):
        ask(document, "classify")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "The body is not JSON"),
        (b"hello", "It begins with 'hello'"),
        (b'{"instances": [[1, 2]', "not JSON"),
        (b"\xff\xfe\xff", "not JSON"),
        (b"[1]", "a JSON list: expected an object"),
        (b'{"instances": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"instances": [' + b"9" * 10_000 + b"]}", "not JSON"),
    ],
)
def test_a_body_that_is_not_a_request_is_told(body, message):
    with pytest.raises(RequestError, match=message):
        parse_body(body)


def test_a_hostile_value_is_cut_in_the_error(ask):
    nested = {}
    for _ in range(300):
        nested = {"a": nested, "b" * 10_000: 1}
    with pytest.raises(RequestError) as raised:
        ask({"signature_name": "classify", "examples": [[nested] * 10]}, "classify")
    assert len(str(raised.value)) < 500


def test_answers_are_those_of_the_model(ask, model_directory):
    import tensorflow as tf

    rows = np.random.default_rng(1).normal(size=(7, 2)).astype(np.float32)
    loaded = tf.saved_model.load(str(model_directory)).signatures["serving_default"]
    expected = loaded(x=tf.constant(rows))["y"].numpy()
    answered = ask({"instances": rows.tolist()})["predictions"]
    assert np.array(answered, np.float32).tolist() == expected.tolist()
