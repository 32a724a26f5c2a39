"""Tuners in a pipeline: what users search with, side by side, and what goes wrong in it.

All of them are nodes of one run, so that TensorFlow is imported once for them.
"""

from __future__ import annotations

import pytest
from tuner_modules import KERAS_TUNER, OPTUNA, assert_alone, kinds, tune

from trainwright.html_views.artifact_page import to_html

keras_tuner = pytest.importorskip("keras_tuner")
pytest.importorskip("optuna")

MODELS = """
import keras
import keras_tuner
import tensorflow as tf

LIBRARIES = {"keras_2": tf.keras, "keras_3": keras}
X = tf.random.stateless_normal([32, 1], seed=[1, 2])
DATA = tf.data.Dataset.from_tensor_slices((X, 2 * X)).batch(8)


def make_model(hp):
    library = LIBRARIES[hp.Choice("library", CHOICES)]
    units = library.layers.Dense(hp.Int("units", 1, 4))
    model = library.Sequential([library.layers.Input((1,)), units, library.layers.Dense(1)])
    model.compile(library.optimizers.SGD(hp.Float("rate", 1e-3, 0.1)), "mse", metrics=["mae"])
    return model


def tuner_fn(fn_args):
    assert fn_args.train_files and fn_args.working_dir
    tuner = make(objective=OBJECTIVE, directory=fn_args.working_dir, seed=3)
    stop = tf.keras.callbacks.EarlyStopping if CHOICES == ["keras_2"] else keras.callbacks.Callback
    options = {"epochs": 2, "verbose": 0, "callbacks": [stop()] if len(CHOICES) == 1 else []}
    return TunerFnResult(tuner=tuner, fit_kwargs={"x": DATA, "validation_data": DATA, **options})


OBJECTIVE = "val_mae"
"""
HYPERBAND = """
CHOICES = ["keras_2"]


def make(**options):
    return keras_tuner.Hyperband(make_model, max_epochs=3, factor=3, **options)
"""
BOTH = """
CHOICES = ["keras_2", "keras_3"]


def make(**options):
    space = keras_tuner.HyperParameters()
    space.Choice("library", CHOICES)
    return keras_tuner.GridSearch(
        make_model, hyperparameters=space, tune_new_entries=False, executions_per_trial=2, **options
    )
"""
NOT_REPORTED = """
CHOICES = ["keras_2"]
OBJECTIVE = keras_tuner.Objective("val_acc", "max")


def make(**options):
    return keras_tuner.RandomSearch(make_model, max_trials=9, **options)
"""
OWN_TUNER = """
import keras_tuner
from sklearn.linear_model import Ridge


class OwnTuner(keras_tuner.engine.base_tuner.BaseTuner):
    def run_trial(self, trial, x, y):
        hp = trial.hyperparameters
        model = Ridge(alpha=hp.Float("alpha", 1e-3, 10, sampling="log"))
        if trial.trial_id == "1":
            raise ValueError("no luck with <this> one")
        return {"error": -model.fit(x, y).score(x, y), "more": 1.0}


def tuner_fn(fn_args):
    objective = keras_tuner.Objective("error", "min")
    oracle = keras_tuner.oracles.BayesianOptimizationOracle(objective, max_trials=4, seed=1)
    data = {"x": [[0.0], [1.0], [2.0]], "y": [0.1, 0.9, 2.1]}
    return TunerFnResult(OwnTuner(oracle), data)
"""
RAISES = """
def act(trial_id, times):
    raise ValueError(f"trial {trial_id} cannot be")
"""
NO_TRIALS = """
def space():
    return keras_tuner.HyperParameters()


class Noting(keras_tuner.RandomSearch):
    pass


def make(fn_args, **options):
    oracle = keras_tuner.oracles.RandomSearchOracle(max_trials=3, **options)
    oracle.populate_space = lambda trial_id: {"status": "STOPPED"}
    tuner = keras_tuner.Tuner.__new__(keras_tuner.Tuner)
    keras_tuner.engine.base_tuner.BaseTuner.__init__(tuner, oracle=oracle)
    return tuner
"""
RETURNS_A_LIST = """
def tuner_fn(fn_args):
    return [1, 2]
"""
DIES_ONCE = """
def act(trial_id, times):
    time.sleep(0.2)
    if trial_id == 2 and times == 1:
        die()
"""
ALWAYS_DIES = """
def act(trial_id, times):
    if trial_id == 1:
        die()
"""
PRUNED = """
def act(trial_id, times):
    time.sleep(0.1)
    if trial_id == 1:
        raise optuna.TrialPruned
    if len(open(NOTES).readlines()) >= 4 and is_first("killed"):
        die()
"""
NEVER_A_NUMBER = """
def objective(trial):
    trial.suggest_float("x", 0, 1)
"""
LEADER_DIES = """
if os.environ.get("KERASTUNER_TUNER_ID") == "chief":
    die()
"""
WORKERS_DIE = """
if os.environ.get("KERASTUNER_TUNER_ID", "").startswith("worker"):
    die()
"""
PARALLEL = {"tune_args": {"num_parallel_trials": 2}}

MODULES = {
    "hyperband": MODELS + HYPERBAND,
    "both": MODELS + BOTH,
    "own_tuner": OWN_TUNER,
    "not_reported": MODELS + NOT_REPORTED,
    "raises": KERAS_TUNER + RAISES,
    "no_trials": KERAS_TUNER + NO_TRIALS,
    "returns_a_list": RETURNS_A_LIST,
    "optuna": OPTUNA,
    "never_a_number": OPTUNA + NEVER_A_NUMBER,
    "parallel": KERAS_TUNER + DIES_ONCE,
    "parallel_dies": KERAS_TUNER + ALWAYS_DIES,
    "parallel_raises": KERAS_TUNER + RAISES,
    "parallel_optuna": OPTUNA + PRUNED,
    "parallel_leader": KERAS_TUNER + LEADER_DIES,
    "parallel_workers": KERAS_TUNER + WORKERS_DIE,
}
SETTINGS = {name: PARALLEL for name in MODULES if name.startswith("parallel")}


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    """All of the searches, in one run."""
    return tune(tmp_path_factory.mktemp("tuned"), MODULES, **SETTINGS)


def test_models_of_tf_keras_are_tuned_by_hyperband_which_loads_their_weights(tuned):
    found = tuned["hyperband"]
    assert not found.failures
    resumed = [row for row in found.results if row["tuner/initial_epoch"] > 0]
    assert resumed
    assert {row["library"] for row in found.results} == {"keras_2"}
    values = keras_tuner.HyperParameters.from_config(found.best)
    assert values.get("units") == found.results[0]["units"]
    assert [row["score"] for row in found.results] == sorted(row["score"] for row in found.results)


def test_models_of_both_kerases_are_tuned_in_one_search(tuned):
    found = tuned["both"]
    assert not found.failures
    assert {row["library"] for row in found.results} == {"keras_2", "keras_3"}


def test_progress_tells_the_trial_the_best_score_and_the_epoch(tuned):
    told = tuned["hyperband"].progress
    assert any({"trial", "epoch", "best val_mae"} <= set(one) for one in told)
    assert any(one.get("trials") == 6 for one in tuned["optuna"].progress)


def test_a_tuner_of_the_users_own_goes_on_after_a_trial_that_raises(tuned):
    found = tuned["own_tuner"]
    assert not found.failures
    assert len(found.results) == 3
    [failed] = [trial for trial in found.search["trials"] if trial["status"] == "failed"]
    assert failed["message"] == "ValueError: no luck with <this> one"
    assert "Trial 1 failed: Traceback" in found.logs[-1]
    assert "1 failed" in found.summary
    assert (
        f"trial  {'error':>6}" in found.summary.replace("-", "")[:400] or "alpha" in found.summary
    )
    page = to_html("TunerResults", found.outputs["tuner_results"][0].uri)
    assert "&lt;this&gt;" in page
    assert "<this>" not in page


def test_the_pages_lie_beside_the_log(tuned):
    [page] = tuned["optuna"].directory.glob(".system/executor_execution/*/tuner_results.html")
    assert "Parallel coordinates" in page.read_text()


@kinds(
    "not_reported",
    "raises",
    "no_trials",
    "returns_a_list",
    "never_a_number",
    "parallel_raises",
    "parallel_leader",
    "parallel_workers",
)
def test_each_way_to_fail_has_its_own_message(tuned, kind):
    [failure] = tuned[kind].failures
    expected = {
        "not_reported": "never reported the objective 'val_acc'; did you mean 'val_mae'?",
        "raises": "given up: too many trials in a row failed. Trial 2",
        "no_trials": "The search ended without a trial",
        "returns_a_list": "tuner_fn returned a list: expected TunerFnResult(tuner=",
        "never_a_number": "None of the 6 trials was finished",
        "parallel_raises": "given up: too many trials in a row failed. Trial",
        "parallel_leader": "It is the process that keeps the trials of all others",
        "parallel_workers": "processes die before they have tried anything. The last:",
    }
    assert expected[kind] in failure
    assert_alone(tuned[kind])


def test_an_objective_that_is_not_reported_ends_the_search_at_once(tuned):
    assert tuned["not_reported"].logs[-1].count("begins:") == 1


def test_a_study_writes_hyperparameters_as_a_trainer_reads_them(tuned):
    found = tuned["optuna"]
    assert not found.failures
    values = keras_tuner.HyperParameters.from_config(found.best)
    assert values.get("x") == min((values["x"] for values in map(dict, found.results)), key=abs)
    [entry] = values.space
    assert (entry.min_value, entry.max_value) == (-1.0, 1.0)


def test_a_trial_whose_process_is_killed_is_tried_again_beside_the_others(tuned):
    found = tuned["parallel"]
    assert not found.failures
    assert sorted(found.tried) == [0, 1, 2, 2, 3, 4, 5]
    assert sorted(int(row["trial_id"]) for row in found.results) == list(range(6))
    first, second = [values for number, values in found.tries if number == 2]
    assert first == second
    assert len(found.worker_logs) == 2
    assert all("begins:" in log for log in found.worker_logs)
    assert "was killed by SIGKILL" in found.logs[-1]
    assert_alone(found)


def test_a_trial_that_kills_its_process_twice_counts_as_failed(tuned):
    found = tuned["parallel_dies"]
    assert not found.failures
    assert found.tried.count(1) == 2
    assert len(found.results) == 5
    [failed] = [trial for trial in found.search["trials"] if trial["status"] == "failed"]
    assert "was killed by SIGKILL" in failed["message"]


def test_studies_in_parallel_share_their_trials_and_survive_a_killed_process(tuned):
    found = tuned["parallel_optuna"]
    assert not found.failures
    statuses = [trial["status"] for trial in found.search["trials"]]
    assert sorted(statuses) == ["finished"] * 5 + ["pruned"]
    assert len(found.tried) == 7
    assert_alone(found)
