"""Cost of keeping TensorFlow's graph optimizer from computing wrong values.

`trainwright.data.graph_optimizer` says what is wrong. The ways round it, for a Transform graph that
parses batches of 4,096 examples of ten columns: parsing in a function of its own, or a part of the
optimizer switched off. Only the last of them is right for all user code; the first row is what
TensorFlow does by itself. Each is measured in turn, as CPU time, which other load disturbs less.
"""

from __future__ import annotations

import glob
import importlib.util
import os
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from measuring import Figure, describe, median

_ROWS = 4096
_VARIANTS = {
    "one function, all optimizers": {},
    "parsing in a function of its own": {},
    "one function, constant_folding off": {"constant_folding": False},
    "one function, arithmetic_optimization off": {"arithmetic_optimization": False},
}


def run(quick: bool) -> list[Figure]:
    if importlib.util.find_spec("tensorflow_transform") is None:
        print("graph_optimizer: skipped: pip install 'trainwright[transform]'", file=sys.stderr)
        return []
    rounds = 5 if quick else 60
    return [*_measure_transform(rounds), *_measure_training(rounds)]


def _measure_transform(rounds: int) -> list[Figure]:
    import tensorflow as tf
    from transform_function import SCHEMA, preprocessing_fn, write_examples

    from trainwright.data.example_reading.example_files import ExampleFiles
    from trainwright.engine.local_engine import LocalEngine
    from trainwright.transform.analysis import analyze
    from trainwright.transform.analyzer_cache import Dataset
    from trainwright.transform.graph_function import open_function

    with tempfile.TemporaryDirectory() as directory:
        write_examples(directory, 8 * _ROWS)
        paths = sorted(glob.glob(f"{directory}/*.gz"))
        examples = ExampleFiles(schema=SCHEMA)
        output = os.path.join(directory, "graph")
        analyze(
            preprocessing_fn,
            examples,
            [Dataset("train", paths)],
            output,
            engine=LocalEngine(1),
            temporary_directory=tempfile.mkdtemp(dir=directory),
        )
        function = open_function(f"{output}/transform_fn")
        records = tf.constant(next(iter(examples.read(paths[0]))))

        def together(serialized: Any) -> Any:
            return function.apply(examples.parse(serialized))

        signature = [tf.TensorSpec([None], tf.string)]
        calls: dict[str, Callable[[], Any]] = {}
        for name in _VARIANTS:
            if "of its own" in name:
                parse = tf.function(examples.parse, input_signature=signature, autograph=False)
                apply = tf.function(function.apply, autograph=False)
                calls[name] = lambda parse=parse, apply=apply: apply(parse(records))
            else:
                whole = tf.function(together, input_signature=signature, autograph=False)
                calls[name] = lambda whole=whole: whole(records)
        return _measure(f"Transform graph, batch of {_ROWS:,} rows", calls, rounds)


def _measure_training(rounds: int) -> list[Figure]:
    import numpy as np
    import tf_keras as keras

    source = np.random.default_rng(1)
    columns = {f"x{number}": source.random((_ROWS, 1), np.float32) for number in range(10)}
    labels = source.integers(0, 2, (_ROWS, 1))

    def make_fit() -> Callable[[], Any]:
        inputs = {name: keras.Input((1,), name=name) for name in columns}
        deep = keras.layers.Concatenate()(list(inputs.values()))
        for units in (64, 32):
            deep = keras.layers.Dense(units, "relu")(deep)
        model = keras.Model(inputs, keras.layers.Dense(1, "sigmoid")(deep))
        model.compile("adam", "binary_crossentropy", ["accuracy"])
        return lambda: model.fit(columns, labels, batch_size=64, verbose=0)

    variants = [name for name in _VARIANTS if "of its own" not in name]
    calls = {name: make_fit() for name in variants}
    return _measure(f"Keras fit, {_ROWS // 64} steps of a model of ten columns", calls, rounds)


def _measure(what: str, calls: dict[str, Callable[[], Any]], rounds: int) -> list[Figure]:
    first = {name: _cpu(name, call) for name, call in calls.items()}
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(_cpu(name, call) * 1000)
    return [
        Figure(
            what=f"{what}: {name}, CPU",
            value=median(measured),
            unit="ms",
            remark=f"{describe(measured)}; the first call {first[name]:.2f} s",
        )
        for name, measured in times.items()
    ]


def _cpu(variant: str, call: Callable[[], Any]) -> float:
    import tensorflow as tf

    options = {"constant_folding": True, "arithmetic_optimization": True} | _VARIANTS[variant]
    tf.config.optimizer.set_experimental_options(options)
    began = time.process_time()
    call()
    return time.process_time() - began
