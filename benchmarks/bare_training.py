"""Trains as trainer_overhead's Trainer does, but without a pipeline: the script to compare with.

Usage: bare_training.py EXAMPLES MODEL MODEL_RUN STEPS, the first three of them directories.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

began = time.perf_counter()

import tensorflow as tf  # noqa: E402

tf.keras.Model  # noqa: B018  Keras is imported when it is used first.
import_seconds = time.perf_counter() - began

from small_training import run_fn  # noqa: E402

from trainwright.components import FnArgs  # noqa: E402


def main(examples: str, model: str, model_run: str, steps: str) -> None:
    Path(model_run).mkdir(parents=True, exist_ok=True)
    run_fn(
        FnArgs(
            train_files=[f"{examples}/Split-train/*"],
            train_steps=int(steps),
            serving_model_dir=f"{model}/Format-Serving",
            model_run_dir=model_run,
        )
    )
    result = Path(model_run) / "seconds.json"
    seconds = json.loads(result.read_text())
    result.write_text(json.dumps({**seconds, "import": import_seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
