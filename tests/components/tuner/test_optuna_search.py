"""Studies of Optuna as searches: what an attempt that died has left, and what is found."""

from __future__ import annotations

import json

import pytest

from trainwright.components.tuner.executor import write_best_hyperparameters
from trainwright.components.tuner.optuna_search import OptunaSearch, results_of_study
from trainwright.components.tuner.search_progress import SearchProgress
from trainwright.components.tuner.trial_place import TrialPlace
from trainwright.types import standard_artifacts as artifacts

optuna = pytest.importorskip("optuna")

pytestmark = pytest.mark.filterwarnings("ignore::optuna.exceptions.ExperimentalWarning")


class Death(BaseException):
    """What stands for the end of the process: nobody catches it."""


def open_search(directory, objective, *, study=None, is_first_opened=True, **fit_kwargs):
    study = study or optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=3))
    fit_kwargs = {"func": objective, "n_trials": 5, **fit_kwargs}
    place = TrialPlace(str(directory))
    progress = SearchProgress(lambda told: None)
    return OptunaSearch(study, fit_kwargs, progress, place, is_first_opened=is_first_opened)


def square(trial):
    return trial.suggest_float("x", -1, 1) ** 2


class Dying:
    """An objective in whose n-th call the process ends."""

    def __init__(self, call, error=Death):
        self.call, self.error = call, error
        self.tried = []

    def __call__(self, trial):
        x = trial.suggest_float("x", -1, 1)
        self.tried.append(x)
        if len(self.tried) == self.call:
            raise self.error
        return x**2


@pytest.mark.parametrize("error", [Death, ValueError])
def test_what_was_tried_when_a_search_ended_is_tried_again(tmp_path, error):
    objective = Dying(3, error)
    with pytest.raises(error):
        open_search(tmp_path, objective).run()
    search = open_search(tmp_path, objective)
    search.run()
    assert len(objective.tried) == 6
    assert objective.tried[2] == objective.tried[3]
    assert len(set(objective.tried)) == 5
    results = search.results()
    assert len(results.ranking) == 5


def test_a_third_attempt_repeats_nothing(tmp_path):
    objective = Dying(3)
    with pytest.raises(Death):
        open_search(tmp_path, objective).run()
    objective.call = 5
    with pytest.raises(Death):
        open_search(tmp_path, objective).run()
    open_search(tmp_path, objective).run()
    assert len(objective.tried) == 7
    open_search(tmp_path, objective).run()
    assert len(objective.tried) == 7  # all five are finished


def test_a_line_that_was_cut_off_does_not_spoil_the_journal(tmp_path):
    search = open_search(tmp_path, square, n_trials=3)
    search.run()
    journal = tmp_path / "optuna_journal.log"
    with journal.open("ab") as file:
        file.write(b'{"op_code": 5, "worker')
    (tmp_path / "optuna_journal.log.lock").symlink_to(journal)
    search = open_search(tmp_path, square)
    search.run()
    assert len(search.results().ranking) == 5
    assert len(open_search(tmp_path, square).storage.trials()) == 5


def test_a_study_that_was_half_copied_is_copied_again(tmp_path, monkeypatch):
    def study():
        made = optuna.create_study()
        made.set_user_attr("who", "me")
        made.enqueue_trial({"x": 0.25})
        return made

    with monkeypatch.context() as patch:
        patch.setattr(optuna.Study, "add_trials", lambda *_: (_ for _ in ()).throw(Death))
        with pytest.raises(Death):
            open_search(tmp_path, square, study=study())
    search = open_search(tmp_path, square, study=study(), n_trials=2)
    search.run()
    assert search.tuner.trials[0].params == {"x": 0.25}
    assert search.tuner.user_attrs["who"] == "me"


def test_the_users_study_is_the_one_that_searches(tmp_path):
    study = optuna.create_study(direction="maximize", pruner=optuna.pruners.NopPruner())
    seen = []

    def objective(trial):
        seen.append(len(study.trials))
        if len(seen) == 3:
            study.stop()
        return trial.suggest_int("n", 1, 4)

    search = open_search(tmp_path, objective, study=study, n_trials=9)
    search.run()
    assert seen == [1, 2, 3]
    assert search.tuner is study
    assert search.results().direction == "max"


def test_a_storage_of_the_users_own_is_kept_and_what_others_do_there_is_left_alone(tmp_path):
    storage = f"sqlite:///{tmp_path}/own.db"

    def study():
        return optuna.create_study(storage=storage, study_name="shared", load_if_exists=True)

    study().optimize(square, n_trials=2)
    foreign = study().ask()
    objective = Dying(2)
    with pytest.raises(Death):
        open_search(tmp_path / "state", objective, study=study(), n_trials=3).run()
    search = open_search(tmp_path / "state", objective, study=study(), n_trials=3)
    search.run()
    assert len(search.results().ranking) == 3
    assert study().trials[foreign.number].state.name == "RUNNING"
    assert not (tmp_path / "state" / "optuna_journal.log").exists()


def test_failures_that_are_caught_count_and_are_told(tmp_path):
    objective = Dying(2, ValueError("not this one"))
    search = open_search(tmp_path, objective, catch=(ValueError,))
    search.run()
    results = search.results()
    [failed] = [trial for trial in results.trials if trial.status == "failed"]
    assert failed.message == "ValueError: not this one"
    assert len(results.trials) == 5
    search = open_search(tmp_path, objective, catch=(ValueError,))
    assert search.remaining == 0


def test_a_study_needs_an_objective(tmp_path):
    with pytest.raises(TypeError, match="without an objective: expected fit_kwargs="):
        open_search(tmp_path, None)


@pytest.mark.parametrize("n_trials", [0, None])
def test_no_trials_are_said(tmp_path, n_trials):
    search = open_search(tmp_path, square, n_trials=n_trials, timeout=0)
    search.run()
    if n_trials == 0:
        with pytest.raises(RuntimeError, match="ended without a trial"):
            search.results()


def test_of_several_objectives_one_that_no_other_beats_is_taken(tmp_path):
    study = optuna.create_study(directions=["minimize", "maximize"])
    for x, y in [(3.0, 9.0), (1.0, 0.0), (1.0, 2.0)]:
        study.add_trial(
            optuna.trial.create_trial(
                params={"x": x},
                distributions={"x": optuna.distributions.FloatDistribution(0, 9)},
                values=[x, y],
            )
        )
    results = results_of_study(study)
    assert results.best["values"] == {"x": 1.0}
    assert results.ranking[0] == "2"
    assert results.ranked[0].others == {"value 1": 2.0}


def test_parameters_are_written_as_keras_tuner_reads_them(tmp_path):
    keras_tuner = pytest.importorskip("keras_tuner")
    study = optuna.create_study()

    def objective(trial):
        trial.suggest_float("rate", 1e-4, 1e-1, log=True)
        trial.suggest_float("drop", 0, 0.5, step=0.1)
        trial.suggest_int("units", 4, 64, step=4)
        trial.suggest_categorical("kind", ["relu", "tanh"])
        trial.suggest_categorical("flag", [True, False])
        trial.suggest_categorical("mixed", ["a", None, 3])
        return 1.0

    study.optimize(objective, n_trials=1)
    outputs = {}
    for key, kind in (
        ("best_hyperparameters", artifacts.HyperParameters),
        ("tuner_results", artifacts.TunerResults),
    ):
        outputs[key] = [kind()]
        outputs[key][0].uri = str(tmp_path / key)
    write_best_hyperparameters(study, outputs)
    written = json.loads((tmp_path / "best_hyperparameters/best_hyperparameters.txt").read_text())
    found = keras_tuner.HyperParameters.from_config(written)
    assert found.values == study.best_params
    # What a module file asks for by its range is what was found.
    assert found.Float("rate", 1e-4, 1e-1, sampling="log") == study.best_params["rate"]
    assert found.Int("units", 4, 64, step=4) == study.best_params["units"]
    assert found.Choice("kind", ["relu", "tanh"]) == study.best_params["kind"]
    assert found.get("mixed") == study.best_params["mixed"]
