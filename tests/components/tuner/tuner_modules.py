"""Module files for Tuners of tests: searches that note what they try, and die where told."""

from __future__ import annotations

import json
import os
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from trainwright import LocalDagRunner, Pipeline, PipelineRunError
from trainwright.components import CsvExampleGen, Tuner

# What all module files share: `note(...)` writes down a trial and says how many times it was begun.
PRELUDE = '''
import json
import os
import signal
import time
from trainwright.components import TunerFnResult

NOTES = {notes!r}


def note(trial_id, values):
    with open(NOTES, "a") as file:
        file.write(json.dumps([int(trial_id), dict(values)]) + "\\n")
    with open(NOTES) as file:
        return [json.loads(line)[0] for line in file].count(int(trial_id))


def die(process=0):
    os.kill(process or os.getpid(), signal.SIGKILL)
    time.sleep(60)


def is_first(what):
    """True once, whichever process asks."""
    try:
        os.close(os.open(NOTES + what, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True
'''

# A search of keras_tuner without a model: quick, and all that is around it is real.
KERAS_TUNER = """
import keras_tuner


class Noting(keras_tuner.RandomSearch):
    def run_trial(self, trial, **options):
        times = note(trial.trial_id, trial.hyperparameters.values)
        act(int(trial.trial_id), times)
        return trial.hyperparameters.get("x") ** 2


def act(trial_id, times):
    pass


def space():
    hp = keras_tuner.HyperParameters()
    hp.Float("x", -1.0, 1.0)
    return hp


def tuner_fn(fn_args):
    tuner = make(fn_args, hyperparameters=space(), objective=keras_tuner.Objective("y", "min"))
    return TunerFnResult(tuner=tuner, fit_kwargs={"verbose": 0})


def make(fn_args, **options):
    return Noting(max_trials=6, seed=7, **options)
"""

OPTUNA = """
import optuna


def objective(trial):
    x = trial.suggest_float("x", -1, 1)
    act(trial.number, note(trial.number, trial.params))
    return x**2


def act(trial_id, times):
    pass


def tuner_fn(fn_args):
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=7))
    return TunerFnResult(tuner=study, fit_kwargs={"func": objective, "n_trials": 6})
"""


@dataclass(kw_only=True)
class Tuned:
    """What became of a Tuner over one or several runs."""

    directory: Path
    notes: Path
    failures: list[str] = field(default_factory=list)
    outputs: dict[str, Any] = field(default_factory=dict)
    progress: list[dict[str, Any]] = field(default_factory=list)
    summary: str = ""

    @property
    def tried(self) -> list[int]:
        """The numbers of trials in the order in which they were begun, once for each try."""
        return [trial_id for trial_id, _ in self.tries]

    @property
    def tries(self) -> list[tuple[int, dict[str, Any]]]:
        lines = self.notes.read_text().splitlines() if self.notes.exists() else []
        return [tuple(json.loads(line)) for line in lines]

    @property
    def best(self) -> dict[str, Any]:
        return self._read("best_hyperparameters", "best_hyperparameters.txt")

    @property
    def results(self) -> list[dict[str, Any]]:
        return self._read("tuner_results", "tuner_results.json")

    @property
    def search(self) -> dict[str, Any]:
        return self._read("tuner_results", "tuner_search.json")

    @property
    def logs(self) -> list[str]:
        """The node's logs, that of the latest attempt last."""
        return [path.read_text() for path in self._logs("executor.log")]

    @property
    def worker_logs(self) -> list[str]:
        return [path.read_text() for path in self._logs("trials-worker*.log")]

    def _logs(self, name: str) -> list[Path]:
        executions = list((self.directory / ".system" / "executor_execution").iterdir())
        executions.sort(key=lambda path: int(path.name))
        return [path for execution in executions for path in sorted(execution.glob(name))]

    def _read(self, key: str, name: str) -> Any:
        assert not self.failures or self.outputs, self.failures
        return json.loads(Path(self.outputs[key][0].uri, name).read_text())


def tune(
    place: Path, modules: dict[str, str], *, runs: int = 1, **settings: Any
) -> dict[str, Tuned]:
    """Runs a pipeline with a Tuner for each module, by its id, this many times.

    `settings` are arguments of the Tuners by their ids.
    """
    (place / "data").mkdir(exist_ok=True)
    rows = "".join(f"{number},{2 * number}\n" for number in range(24))
    (place / "data" / "rows.csv").write_text(f"x,y\n{rows}")
    example_gen = CsvExampleGen(str(place / "data"))
    tuned = {}
    components: list[Any] = [example_gen]
    for name, source in modules.items():
        tuned[name] = Tuned(directory=place / "root" / name, notes=place / f"{name}.notes")
        path = place / f"{name}_module.py"
        prelude = PRELUDE.format(notes=str(tuned[name].notes))
        path.write_text(prelude + textwrap.dedent(source))
        examples = example_gen.outputs["examples"]
        tuner = Tuner(examples, module_file=str(path), **settings.get(name, {}))
        components.append(tuner.with_id(name))
    for _ in range(runs):
        _run(place, components, tuned)
    return tuned


def _run(place: Path, components: list[Any], tuned: dict[str, Tuned]) -> None:
    events: list[Any] = []
    pipeline = Pipeline("p", str(place / "root"), components=components, enable_cache=True)
    try:
        result = LocalDagRunner(observer=events.append).run(pipeline)
    except PipelineRunError as error:
        result = error.result
    for failure in result.failures:
        tuned[failure.node_id].failures.append(failure.describe())
    for name, one in tuned.items():
        one.outputs = dict(result.outputs.get(name, {}))
        one.progress += [
            event.data
            for event in events
            if event.kind.value == "node_progress" and event.node == name
        ]
        one.summary = next((note for note in result.notes if note.startswith(f"{name}:")), "")


def kinds(*names: str) -> Any:
    """Parametrizes a test over module files."""
    return pytest.mark.parametrize("kind", names)


def assert_alone(found: Tuned) -> None:
    """Fails if a process still has a file of this search open, or was told of its directory."""
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                command = Path(entry.path, "cmdline").read_bytes()
                links = [os.readlink(one.path) for one in os.scandir(f"{entry.path}/fd")]
            except OSError:  # it has just ended
                continue
            assert str(found.directory).encode() not in command, entry.name
            assert not [link for link in links if str(found.directory) in link], entry.name
