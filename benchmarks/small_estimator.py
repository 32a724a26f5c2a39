"""A small Estimator on penguins: a module file for the Trainer, and the bare script beside it.

As a script, with the directories of examples, model and run and the number of steps as arguments,
it trains without a pipeline and writes down how long that took, TensorFlow's import left out.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

if __name__ == "__main__":
    from trainwright._estimator_repairs import offer_estimators

    offer_estimators()

import tensorflow as tf

from trainwright.components.trainer.eval_export import (
    EvalInputReceiver,
    export_eval_savedmodel,
)

NUMBERS = {
    "bill_length_mm": tf.float32,
    "bill_depth_mm": tf.float32,
    "flipper_length_mm": tf.int64,
    "body_mass_g": tf.int64,
}
SPECIES = ("Adelie", "Chinstrap", "Gentoo")
RAW = {
    **{name: tf.io.FixedLenFeature([1], dtype, 0) for name, dtype in NUMBERS.items()},
    "species": tf.io.FixedLenFeature([1], tf.string),
}


def trainer_fn(trainer_fn_args: Any, schema: Any) -> dict[str, Any]:
    columns = [tf.feature_column.numeric_column(name) for name in NUMBERS]
    config = tf.estimator.RunConfig(model_dir=trainer_fn_args.serving_model_dir, tf_random_seed=1)
    estimator = tf.estimator.DNNClassifier(
        [64, 32], columns, n_classes=len(SPECIES), label_vocabulary=SPECIES, config=config
    )
    features = {name: RAW[name] for name in NUMBERS}
    receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(features)
    return {
        "estimator": estimator,
        "train_spec": tf.estimator.TrainSpec(
            lambda: _read(trainer_fn_args.train_files).repeat(),
            max_steps=trainer_fn_args.train_steps,
        ),
        "eval_spec": tf.estimator.EvalSpec(
            lambda: _read(trainer_fn_args.train_files),
            steps=None,
            exporters=[tf.estimator.FinalExporter("penguins", receiver)],
        ),
        "eval_input_receiver_fn": _receive,
    }


def _read(patterns: list[str]) -> tf.data.Dataset:
    def parse(batch: tf.Tensor) -> tuple[dict[str, tf.Tensor], tf.Tensor]:
        parsed = tf.io.parse_example(batch, RAW)
        return parsed, parsed.pop("species")

    files = [file for pattern in patterns for file in tf.io.gfile.glob(pattern)]
    return tf.data.TFRecordDataset(files, "GZIP").batch(20).map(parse)


def _receive() -> Any:
    serialized = tf.compat.v1.placeholder(tf.string, [None])
    features = tf.io.parse_example(serialized, RAW)
    return EvalInputReceiver(
        features=features, labels=features["species"], receiver_tensors={"examples": serialized}
    )


def main(examples: str, model: str, model_run: str, steps: str) -> None:
    from trainwright.components import FnArgs

    tf.keras.Model  # noqa: B018  Keras is imported when it is used first.
    began, cpu_before = time.perf_counter(), time.process_time()
    fn_args = FnArgs(
        train_files=[f"{examples}/Split-train/*"],
        train_steps=int(steps),
        serving_model_dir=f"{model}/Format-Serving",
    )
    spec = trainer_fn(fn_args, None)
    tf.estimator.train_and_evaluate(spec["estimator"], spec["train_spec"], spec["eval_spec"])
    export_eval_savedmodel(
        estimator=spec["estimator"],
        export_dir_base=f"{model}/Format-TFMA",
        eval_input_receiver_fn=spec["eval_input_receiver_fn"],
    )
    seconds = {
        "run_fn": time.perf_counter() - began,
        "run_fn_cpu": time.process_time() - cpu_before,
    }
    os.makedirs(model_run, exist_ok=True)
    with open(os.path.join(model_run, "seconds.json"), "w") as file:
        json.dump(seconds, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
