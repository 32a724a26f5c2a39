"""Every metric and plot has the value that TFMA computes of the same data."""

from __future__ import annotations

import json
from pathlib import Path

import metric_cases
import numpy as np
import pytest
from metric_sums import batch_of, config_of, evaluate

from trainwright.evaluation.metric_keys import MetricKey
from trainwright.evaluation.metrics.metric import Plot

GOLDEN = json.loads((Path(__file__).parent / "golden" / "tfma.json").read_text())["cases"]

# Keras computes in float32.
IN_FLOAT32 = ("keras", "loss")


def key_of(key: MetricKey) -> str:
    """What TFMA's key says as well: it leaves the kind of average out of many."""
    sub_key = key.sub_key
    names = {"class_id": "classId", "k": "k", "top_k": "topK"}
    parts = {
        name: getattr(sub_key, field)
        for field, name in names.items()
        if sub_key is not None and getattr(sub_key, field) is not None
    }
    return json.dumps([key.name, parts, bool(key.example_weighted)])


def golden_key(key: dict) -> str:
    return json.dumps([key["name"], key.get("subKey", {}), bool(key.get("exampleWeighted"))])


def table_of(value, is_plot: bool) -> dict:
    message = value.to_plot_data() if is_plot else value.to_metric_value()
    (field,) = [field for field, _ in message.ListFields()]
    return metric_cases.summary_of(metric_cases.table_of(getattr(message, field.name)))


@pytest.mark.parametrize("name", metric_cases.CASES)
def test_values_are_those_of_tfma(name: str) -> None:
    data_name, spec = metric_cases.CASES[name]
    data = metric_cases.DATA[data_name]
    config = config_of(spec, models=[{"label_key": "label", "example_weight_key": "weight"}])
    # In two batches, as a pass over files would see them.
    half = len(data.labels) // 3
    batches = [
        batch_of(data.labels[part], data.predictions[part], data.weights[part])
        for part in (slice(0, half), slice(half, None))
    ]
    ours = {key_of(one.key): (one, value) for one, value in evaluate(config, *batches).items()}
    theirs = {golden_key(one["key"]): one for one in GOLDEN[name]}
    assert sorted(ours) == sorted(theirs)
    tolerance = 1e-5 if any(word in name for word in IN_FLOAT32) else 1e-9
    for key, expected in theirs.items():
        one, value = ours[key]
        if "table" in expected:
            table = table_of(value, isinstance(one, Plot))
            assert table.keys() == expected["table"].keys()
            for part, numbers in expected["table"].items():
                np.testing.assert_allclose(
                    table[part], numbers, rtol=tolerance, atol=1e-9, err_msg=f"{key} {part}"
                )
        else:
            assert np.shape(value) == np.shape(expected["value"]), key
            np.testing.assert_allclose(
                value, expected["value"], rtol=tolerance, atol=tolerance, err_msg=key
            )
