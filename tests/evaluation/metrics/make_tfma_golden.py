"""Writes what TFMA says of the cases: run it where TFMA is installed.

python make_tfma_golden.py
"""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path

import metric_cases
import numpy as np
from google.protobuf import json_format
from tensorflow_model_analysis.metrics import metric_specs, metric_types
from tensorflow_model_analysis.proto import config_pb2
from tensorflow_model_analysis.utils import config_util

from tensorflow_model_analysis import version

GOLDEN = Path(__file__).parent / "golden" / "tfma.json"


def main() -> None:
    results = {
        name: evaluate(metric_cases.DATA[data], spec)
        for name, (data, spec) in metric_cases.CASES.items()
    }
    golden = {"tfma": version.VERSION, "cases": results}
    GOLDEN.parent.mkdir(exist_ok=True)
    GOLDEN.write_text(json.dumps(golden, indent=None, separators=(",", ":"), sort_keys=True) + "\n")


def evaluate(data: metric_cases.Data, spec: dict[str, object]) -> list[dict[str, object]]:
    """The values of a spec's metrics, computed with TFMA's combiners without a pipeline."""
    config = json_format.ParseDict(
        {
            "model_specs": [{"label_key": "label", "example_weight_key": "weight"}],
            "metrics_specs": [spec],
        },
        config_pb2.EvalConfig(),
    )
    config = config_util.update_eval_config_with_defaults(config)
    computations = metric_specs.to_computations(config.metrics_specs, eval_config=config)
    values: dict[object, object] = {}
    # Computations that metrics share are listed again for each of them.
    for kind in (metric_types.MetricComputation, metric_types.DerivedMetricComputation):
        done: set[tuple[object, ...]] = set()
        for computation in computations:
            keys = tuple(computation.keys)
            if not isinstance(computation, kind) or keys in done:
                continue
            done.add(keys)
            if kind is metric_types.MetricComputation:
                values.update(combine(computation.combiner, data))
            else:
                values.update(computation.result(values))
    shown = [describe(key, value) for key, value in values.items() if key.name[0] != "_"]
    return sorted(shown, key=lambda one: json.dumps(one["key"], sort_keys=True))


def combine(combiner, data: metric_cases.Data) -> dict[object, object]:
    combiner.setup()
    accumulator = combiner.create_accumulator()
    for label, prediction, weight in zip(data.labels, data.predictions, data.weights):
        extracts = {
            "labels": np.atleast_1d(label),
            "predictions": np.atleast_1d(prediction).copy(),
            "example_weights": np.atleast_1d(weight),
        }
        element = metric_types.StandardMetricInputs(copy.deepcopy(extracts))
        accumulator = combiner.add_input(accumulator, element)
    return combiner.extract_output(accumulator)


def describe(key, value) -> dict[str, object]:
    described: dict[str, object] = {"key": json_format.MessageToDict(key.to_proto())}
    if hasattr(value, "to_proto"):
        proto = value.to_proto()
        value = getattr(proto, proto.WhichOneof("type"))
    if hasattr(value, "DESCRIPTOR"):
        described["table"] = metric_cases.summary_of(metric_cases.table_of(value))
    else:
        array = np.asarray(value, dtype=np.float64)
        described["value"] = array.tolist()
        if array.ndim == 0 and math.isnan(array):
            described["value"] = math.nan
    return described


if __name__ == "__main__":
    main()
