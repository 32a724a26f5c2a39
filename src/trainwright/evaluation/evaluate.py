"""evaluate: from example files and models to the metrics of slices."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from google.protobuf import json_format, text_format

from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.engine import Engine, ReportProgress
from trainwright.engine.local_engine import LocalEngine
from trainwright.engine.passes import PassSpec, Shard
from trainwright.evaluation.models.evaluated_model import ModelSource

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

    from trainwright.evaluation.slices.slice_results import Evaluation
    from trainwright.proto.tfma import config_pb2

_EVALUATION = "trainwright.evaluation.evaluation_pass:EvaluationPass"

# What the engine's other processes import when they start.
_PRELOAD = ("tensorflow",)


def evaluate(
    files: ExampleFiles | Sequence[str | os.PathLike[str]],
    eval_config: config_pb2.EvalConfig,
    models: Mapping[str, ModelSource],
    *,
    schema: schema_pb2.Schema | None = None,
    engine: Engine | None = None,
    report_progress: ReportProgress | None = None,
) -> Evaluation:
    """Computes the metrics of all models over all slices, in one pass over the examples.

    The result depends on the files, their order, the models and the config, and on nothing else.

    Args:
        files: Each is a shard: TFRecord files of tf.Examples, gzip or plain, or `ExampleFiles` of
            any payload format.
        eval_config: A config that `complete_eval_config` has completed.
        models: Where the models are, by the name of their model spec.
        schema: Of the examples; the range of a label there is that of its calibration plot.
        engine: What runs the pass; by default `LocalEngine()`.
        report_progress: Told how many examples were read so far.

    Raises:
        UnknownMetricError: if there is no such metric.
        InvalidInputError: if a label is missing, or a model or metric does not fit the examples.
        ShardError: if a file cannot be read, or a model fails.

    Example:
        ```py
        config = complete_eval_config(read_eval_config({
            "model_specs": [{"label_key": "tips"}],
            "metrics_specs": [{"metrics": [{"class_name": "AUC"}]}],
        }))
        found = evaluate(files, config, {"": ModelSource("Trainer/model/6/Format-Serving")})
        print(found.slices[0].metrics)
        ```
    """
    examples = ExampleFiles.of_any(files)
    spec = PassSpec(
        _EVALUATION,
        {
            "eval_config_json": json_format.MessageToJson(eval_config),
            "models": {name: source.to_json() for name, source in models.items()},
            "examples": examples.to_json(),
            "schema_text": "" if schema is None else text_format.MessageToString(schema),
        },
        files=[("examples", "data_view"), *(("models", name, "path") for name in models)],
    )
    shards = [Shard.from_json(shard) for shard in examples.shards()]
    with ExitStack() as stack:
        chosen = engine or stack.enter_context(LocalEngine(preload=_PRELOAD))
        # Before the pass is built: metrics of Keras compute something, and no process can be forked
        # from one that has.
        chosen.warm_up(shards)
        found: Evaluation = chosen.accumulate(spec, shards, report_progress)
    return found
