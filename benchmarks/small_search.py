"""The module file of the tuner benchmark: a small search that writes down how long it takes.

python benchmarks/small_search.py DIRECTORY TRIALS     the same with keras_tuner alone
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from typing import Any

import keras
import keras_tuner
import numpy as np

TIMES = "seconds.json"
X = np.linspace(-1, 1, 64, dtype=np.float32)[:, None]


def make_model(hp: Any) -> Any:
    model = keras.Sequential([keras.layers.Dense(hp.Int("units", 1, 64)), keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(hp.Float("rate", 1e-4, 1e-2)), "mse")
    return model


class Timed(keras_tuner.RandomSearch):
    """Writes down the seconds of the search without the first trial, which warms Keras up."""

    def on_search_begin(self) -> None:
        super().on_search_begin()
        self.ends: list[float] = []

    def on_trial_end(self, trial: Any) -> None:
        super().on_trial_end(trial)
        self.ends.append(time.perf_counter())

    def on_search_end(self) -> None:
        super().on_search_end()
        seconds = (self.ends[-1] - self.ends[0]) / (len(self.ends) - 1)
        with open(os.environ["SEARCH_TIMES"], "w", encoding="utf-8") as file:
            json.dump({"per_trial": seconds}, file)


def make_search(directory: str, trials: int) -> tuple[Any, dict[str, Any]]:
    tuner = Timed(make_model, objective="val_loss", max_trials=trials, seed=1, directory=directory)
    data = {"x": X, "y": 2 * X, "validation_data": (X, 2 * X)}
    return tuner, {**data, "epochs": 1, "verbose": 0}


def tuner_fn(fn_args: Any) -> Any:
    from trainwright.components import TunerFnResult

    os.environ["SEARCH_TIMES"] = fn_args.custom_config["times"]
    return TunerFnResult(*make_search(fn_args.working_dir, fn_args.custom_config["trials"]))


def main() -> None:
    os.environ["SEARCH_TIMES"] = sys.argv[1]
    with tempfile.TemporaryDirectory() as directory:
        tuner, fit_kwargs = make_search(directory, int(sys.argv[2]))
        tuner.search(**fit_kwargs)


if __name__ == "__main__":
    main()
