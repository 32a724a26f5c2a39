"""Speed of a BulkInferrer, beside `model.predict` alone on the same rows.

Each measurement is a process of its own, with the same Keras model on the same gzip TFRecords. A
BulkInferrer loads the model, reads, parses, predicts, and writes a prediction log, or an example
with the prediction, for each row. `model.predict` is given a dataset that reads and parses the
files, and writes nothing. Times are without imports.
"""

from __future__ import annotations

import glob
import json
import resource
import sys
import tempfile
import time

from measuring import Figure, median, run_process

ROWS = 1_600_000
FILES = 8
FEATURES = 5
BATCH = 1024
AIM = 0.8
_WHOM = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
OUTPUTS = {"logs": "prediction logs", "examples": "examples with the prediction"}


def run(quick: bool) -> list[Figure]:
    rows = ROWS // 20 if quick else ROWS
    times = 1 if quick else 3
    with tempfile.TemporaryDirectory() as directory:
        run_process([sys.executable, __file__, "write", directory, str(rows)])
        commands = {
            "predict": [sys.executable, __file__, "predict", directory],
            **{
                f"{output}-{processes}": [
                    sys.executable,
                    __file__,
                    "infer",
                    directory,
                    output,
                    str(processes),
                ]
                for output in OUTPUTS
                for processes in (1, 2)
            },
        }
        measured: dict[str, list[dict[str, float]]] = {name: [] for name in commands}
        for _ in range(times):
            for name, command in commands.items():  # in turn: other load meets all alike
                output = run_process(command).output
                measured[name].append(json.loads(output.splitlines()[-1]))
    found = {
        name: {key: median(one[key] for one in each) for key in each[0]}
        for name, each in measured.items()
    }
    alone = found.pop("predict")
    return [_figure(name, one, alone, rows) for name, one in found.items()]


def _figure(name: str, ours: dict[str, float], alone: dict[str, float], rows: int) -> Figure:
    output, _, processes = name.partition("-")
    return Figure(
        what=f"BulkInferrer, {rows:,} rows to {OUTPUTS[output]}, {processes} process"
        + ("es" if processes != "1" else "")
        + ": rows/s beside model.predict alone",
        value=alone["seconds"] / ours["seconds"],
        unit="times",
        aim=AIM,
        is_floor=True,
        remark=f"{rows / ours['seconds']:,.0f} beside {rows / alone['seconds']:,.0f} rows/s; "
        f"{rows / alone['in_memory']:,.0f} rows/s where the rows are tensors already; peak memory "
        f"of a process {ours['megabytes']:.0f} MB",
    )


def _write(directory: str, rows: int) -> None:
    """Rows of five numbers, and a small network that was not trained."""
    import keras
    import numpy as np
    import tensorflow as tf

    from trainwright.data.example_messages import example_class
    from trainwright.data.tfrecord import open_gzip_writer

    numbers = np.random.default_rng(7).normal(size=(rows, FEATURES)).astype(np.float32)
    place = f"{directory}/examples/Split-all"
    tf.io.gfile.makedirs(place)
    for part, index in enumerate(np.array_split(np.arange(rows), FILES)):
        with open_gzip_writer(f"{place}/data-{part:05}-of-{FILES:05}.gz") as write:
            records = []
            for row in index:
                example = example_class()()
                for number in range(FEATURES):
                    feature = example.features.feature[f"x{number}"]
                    feature.float_list.value.append(float(numbers[row, number]))
                records.append(example.SerializeToString())
            write(records)
    inputs = {f"x{n}": keras.Input((1,), name=f"x{n}") for n in range(FEATURES)}
    hidden = keras.layers.concatenate(list(inputs.values()))
    for _ in range(2):
        hidden = keras.layers.Dense(16, activation="relu")(hidden)
    model = keras.Model(inputs, keras.layers.Dense(3, activation="softmax")(hidden))
    model.save(f"{directory}/model.keras")

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve(examples):
        return {"outputs": model(_parse(examples))}

    tf.saved_model.save(
        model, f"{directory}/model/Format-Serving", signatures={"serving_default": serve}
    )


def _parse(examples):
    import tensorflow as tf

    spec = {f"x{n}": tf.io.FixedLenFeature([1], tf.float32) for n in range(FEATURES)}
    return tf.io.parse_example(examples, spec)


def _predict(directory: str) -> dict[str, float]:
    import keras
    import tensorflow as tf

    model = keras.models.load_model(f"{directory}/model.keras")
    files = sorted(glob.glob(f"{directory}/examples/*/*.gz"))
    dataset = (
        tf.data.TFRecordDataset(files, "GZIP")
        .batch(BATCH)
        .map(_parse, num_parallel_calls=tf.data.AUTOTUNE)
        .prefetch(tf.data.AUTOTUNE)
    )
    began = time.perf_counter()
    rows = len(model.predict(dataset, verbose=0))
    seconds = time.perf_counter() - began
    tensors = [{name: value.numpy() for name, value in batch.items()} for batch in dataset]
    joined = {name: tf.concat([one[name] for one in tensors], 0) for name in tensors[0]}
    began = time.perf_counter()
    assert len(model.predict(joined, batch_size=BATCH, verbose=0)) == rows
    return {"seconds": seconds, "in_memory": time.perf_counter() - began}


def _infer(directory: str, output: str, processes: str) -> dict[str, float]:
    import tensorflow as tf  # noqa: F401  before the clock starts

    from trainwright.components.bulk_inferrer import (  # noqa: F401  likewise
        inference_pass,
        output_examples,
        prediction_logs,
    )
    from trainwright.components.bulk_inferrer.executor import Executor
    from trainwright.dsl.base_executor import ExecutorContext
    from trainwright.types import standard_artifacts

    examples, model = standard_artifacts.Examples(), standard_artifacts.Model()
    examples.uri, examples.split_names = f"{directory}/examples", '["all"]'
    model.uri = f"{directory}/model"
    kinds = {"logs": "inference_result", "examples": "output_examples"}
    types = {"logs": standard_artifacts.InferenceResult, "examples": standard_artifacts.Examples}
    result = types[output]()
    properties = {}
    if output == "examples":
        columns = [{"output_key": "outputs", "output_column": "scores"}]
        spec = {"output_columns_spec": [{"predict_output": {"output_columns": columns}}]}
        properties["output_example_spec"] = json.dumps(spec)
    with tempfile.TemporaryDirectory() as written:
        result.uri = f"{written}/result"
        began = time.perf_counter()
        Executor(ExecutorContext(engine=f"local://?processes={processes}")).Do(
            {"examples": [examples], "model": [model]}, {kinds[output]: [result]}, properties
        )
        seconds = time.perf_counter() - began
    # No thread looks at the memory meanwhile: a process that has one is not forked.
    peaks = (resource.getrusage(who).ru_maxrss for who in _WHOM)
    return {"seconds": seconds, "megabytes": max(peaks) / 1024}


if __name__ == "__main__":
    task, *arguments = sys.argv[1:]
    if task == "write":
        _write(arguments[0], int(arguments[1]))
    else:
        measure = {"predict": _predict, "infer": _infer}[task]
        print(json.dumps(measure(*arguments)))
