"""Speed of evaluations, beside TFMA and beside the model's predictions alone.

Each measurement is a process of its own, with the same SavedModel on the same gzip TFRecords: all
examples and slices by the hour, five metrics. Times are without imports. TFMA runs on Beam's
in-memory runner, in the Python that TRAINWRIGHT_TFMA_PYTHON names.
"""

from __future__ import annotations

import glob
import json
import os
import sys
import tempfile
import time

from measuring import Figure, PeakMemory, median, run_process

SIZES = (1_000, 100_000, 1_000_000)
# How many times faster than TFMA an evaluation should be, by rows.
AIMS = {1_000: 10.0, 1_000_000: 5.0}
TFMA_PYTHON = "TRAINWRIGHT_TFMA_PYTHON"
FILES = 4

EVAL_CONFIG = {
    "model_specs": [{"label_key": "tipped"}],
    "slicing_specs": [{}, {"feature_keys": ["hour"]}],
    "metrics_specs": [
        {
            "metrics": [
                {"class_name": "ExampleCount"},
                {"class_name": "BinaryAccuracy"},
                {"class_name": "AUC"},
                {"class_name": "Calibration"},
                {"class_name": "MeanLabel"},
            ]
        }
    ],
}


def run(quick: bool) -> list[Figure]:
    figures = []
    for rows in SIZES[:1] if quick else SIZES:
        with tempfile.TemporaryDirectory() as directory:
            run_process([sys.executable, __file__, "write", directory, str(rows)])
            figures += _measure(directory, rows, times=1 if rows > 100_000 else 3)
    return figures


def _measure(directory: str, rows: int, times: int) -> list[Figure]:
    tfma_python = os.environ.get(TFMA_PYTHON)
    tfma = _median_of([tfma_python, __file__, "tfma", directory], 1) if tfma_python else None
    alone = _median_of([sys.executable, __file__, "predict", directory], times)
    figures = []
    for processes in (1, 2):
        if processes > 1 and rows <= 1_000:
            continue  # one process does it all anyway
        ours = _median_of([sys.executable, __file__, "ours", directory, str(processes)], times)
        name = f"Evaluator, {rows:,} rows, 2 slicing specs, {processes} process"
        name += "es" if processes > 1 else ""
        figures.append(
            Figure(
                what=name,
                value=ours["seconds"],
                unit="s",
                remark=f"predictions alone {alone['seconds']:.3g} s, in one process; peak memory "
                f"{ours['megabytes']:.0f} MB",
            )
        )
        if tfma is None:
            print(f"evaluator: without TFMA, because {TFMA_PYTHON} names no Python that has it")
            continue
        if not _agree(ours, tfma):
            raise AssertionError(f"The results differ: {ours} and {tfma}")
        is_best = processes == 2 or rows <= 1_000
        figures.append(
            Figure(
                what=f"{name}: times faster than TFMA",
                value=tfma["seconds"] / ours["seconds"],
                unit="",
                aim=AIMS.get(rows) if is_best else None,
                is_floor=True,
                remark=f"TFMA {tfma['seconds']:.3g} s, {tfma['megabytes']:.0f} MB; the same AUC",
            )
        )
    return figures


def _agree(ours: dict[str, float], tfma: dict[str, float]) -> bool:
    return abs(ours["auc"] - tfma["auc"]) < 1e-6


def _median_of(command: list[str], times: int) -> dict[str, float]:
    outputs = [run_process(command).output for _ in range(times)]
    measured = [json.loads(output.splitlines()[-1]) for output in outputs]
    return {key: median(one[key] for one in measured) for key in measured[0]}


def _write(directory: str, rows: int) -> None:
    """Trips of five numbers and an hour, and a small network that was not trained."""
    import numpy as np
    import tensorflow as tf

    source = np.random.default_rng(7)
    numbers = source.normal(size=(rows, 5)).astype(np.float32)
    hours = source.integers(0, 24, rows)
    tipped = (numbers.sum(axis=1) + source.normal(size=rows) > 0).astype(np.int64)
    for part, index in enumerate(np.array_split(np.arange(rows), FILES)):
        path = f"{directory}/trips-{part:05}-of-{FILES:05}.gz"
        with tf.io.TFRecordWriter(path, "GZIP") as writer:
            for row in index:
                feature = {
                    f"x{number}": tf.train.Feature(
                        float_list=tf.train.FloatList(value=[numbers[row, number]])
                    )
                    for number in range(5)
                }
                feature["hour"] = _int_feature(hours[row])
                feature["tipped"] = _int_feature(tipped[row])
                example = tf.train.Example(features=tf.train.Features(feature=feature))
                writer.write(example.SerializeToString())
    _save_model(f"{directory}/model")


def _int_feature(value):
    import tensorflow as tf

    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))


def _save_model(directory: str) -> None:
    import keras
    import tensorflow as tf

    keras.utils.set_random_seed(7)
    inputs = {f"x{number}": keras.Input((1,), name=f"x{number}") for number in range(5)}
    hidden = keras.layers.concatenate(list(inputs.values()))
    for width in (64, 32):
        hidden = keras.layers.Dense(width, activation="relu")(hidden)
    model = keras.Model(inputs, keras.layers.Dense(1, activation="sigmoid")(hidden))
    spec = {name: tf.io.FixedLenFeature([1], tf.float32) for name in inputs}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve(examples):
        return {"tip": model(tf.io.parse_example(examples, spec))}

    tf.saved_model.save(model, directory, signatures={"serving_default": serve})


def _run_ours(directory: str, processes: int) -> dict[str, float]:
    from trainwright.components.forking import can_fork
    from trainwright.engine.local_engine import LocalEngine
    from trainwright.evaluation.config.config_completion import complete_eval_config
    from trainwright.evaluation.config.config_reading import read_eval_config
    from trainwright.evaluation.evaluate import evaluate
    from trainwright.evaluation.models.evaluated_model import ModelSource

    config = complete_eval_config(read_eval_config(EVAL_CONFIG), has_baseline=False)
    began = time.perf_counter()
    with LocalEngine(processes, can_fork=can_fork) as engine:
        found = evaluate(
            sorted(glob.glob(f"{directory}/*.gz")),
            config,
            {"": ModelSource(f"{directory}/model")},
            engine=engine,
        )
    seconds = time.perf_counter() - began
    overall = found.slices[0].metrics
    (auc,) = (value for key, value in overall.items() if key.name == "auc")
    return {"seconds": seconds, "auc": float(auc)}


def _run_predict(directory: str) -> dict[str, float]:
    """The same model on the same batches, and nothing else."""
    import tensorflow as tf

    began = time.perf_counter()
    signature = tf.saved_model.load(f"{directory}/model").signatures["serving_default"]
    files = sorted(glob.glob(f"{directory}/*.gz"))
    for batch in tf.data.TFRecordDataset(files, "GZIP").batch(4096):
        signature(examples=batch)["tip"].numpy()
    return {"seconds": time.perf_counter() - began}


def _run_tfma(directory: str) -> dict[str, float]:
    import apache_beam as beam
    from apache_beam.runners.portability.fn_api_runner import FnApiRunner
    from google.protobuf import json_format
    from tensorflow_model_analysis.proto import config_pb2
    from tfx_bsl.public import tfxio

    import tensorflow_model_analysis as tfma

    config = json_format.ParseDict(EVAL_CONFIG, config_pb2.EvalConfig())
    output = tempfile.mkdtemp(dir=directory)
    began = time.perf_counter()
    model = tfma.default_eval_shared_model(f"{directory}/model", eval_config=config)
    source = tfxio.TFExampleRecord(
        f"{directory}/*.gz", raw_record_column_name=tfma.ARROW_INPUT_COLUMN
    )
    with beam.Pipeline(runner=FnApiRunner()) as pipeline:
        _ = (
            pipeline
            | source.BeamSource()
            | tfma.ExtractEvaluateAndWriteResults(
                eval_shared_model=model, eval_config=config, output_path=output
            )
        )
    seconds = time.perf_counter() - began
    for key, metrics in tfma.load_eval_result(output).slicing_metrics:
        if key == ():
            return {"seconds": seconds, "auc": metrics[""][""]["auc"]["doubleValue"]}
    raise AssertionError("TFMA has evaluated nothing")


def main() -> None:
    task, directory, *arguments = sys.argv[1:]
    if task == "write":
        _write(directory, int(arguments[0]))
        return
    if task == "ours":
        # Not a part of what is measured, as TFMA's imports are not.
        import tensorflow  # noqa: F401

        import trainwright.evaluation.evaluation_pass  # noqa: F401

        # Without a thread that watches the memory, with which it could not fork.
        measured = _run_ours(directory, int(arguments[0]))
        measured["megabytes"] = _peak_of_process()
    else:
        with PeakMemory(shared_once=True) as peak:
            measured = _run_predict(directory) if task == "predict" else _run_tfma(directory)
        measured["megabytes"] = peak.megabytes
    print(json.dumps(measured))


def _peak_of_process() -> float:
    import resource

    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(kind).ru_maxrss for kind in kinds) / 1024


if __name__ == "__main__":
    main()
