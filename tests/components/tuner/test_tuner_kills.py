"""Tuners that are killed: what is finished stays, and what was begun is tried again, once."""

from __future__ import annotations

import re

import pytest
from tuner_modules import KERAS_TUNER, OPTUNA, assert_alone, kinds, tune

pytest.importorskip("keras_tuner")
pytest.importorskip("optuna")

DIE_IN_FOURTH = """
def act(trial_id, times):
    if trial_id == 3 and times == 1:
        die()
"""
OVERWRITE = """
def make(fn_args, **options):
    return Noting(
        max_trials=6,
        seed=7,
        directory=fn_args.working_dir,
        project_name="own",
        overwrite=True,
        **options,
    )
"""
OWN_DIRECTORY = """
def make(fn_args, **options):
    directory = os.path.join(os.path.dirname(NOTES), "mine")
    return Noting(max_trials=6, seed=7, directory=directory, overwrite=True, **options)
"""
GRID = """
class Noting(keras_tuner.GridSearch):
    run_trial = Noting.run_trial


def space():
    hp = keras_tuner.HyperParameters()
    hp.Choice("x", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    return hp


def make(fn_args, **options):
    return Noting(**options)
"""
FIRST = """
def act(trial_id, times):
    if trial_id == 0 and times == 1:
        die()
"""
NODE_DIES = """
def act(trial_id, times):
    time.sleep(0.2)
    if len(open(NOTES).readlines()) >= 4 and is_first("killed"):
        die(os.getppid())
"""
PARALLEL = {"tune_args": {"num_parallel_trials": 2}}

MODULES = {
    "keras_tuner": KERAS_TUNER + DIE_IN_FOURTH,
    "overwrite": KERAS_TUNER + DIE_IN_FOURTH + OVERWRITE,
    "own_directory": KERAS_TUNER + DIE_IN_FOURTH + OWN_DIRECTORY,
    "grid": KERAS_TUNER + DIE_IN_FOURTH + GRID,
    "optuna": OPTUNA + DIE_IN_FOURTH,
    "in_first": KERAS_TUNER + FIRST,
    "parallel": KERAS_TUNER + NODE_DIES,
    "parallel_optuna": OPTUNA + NODE_DIES,
}


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """Tuners that were killed in a trial, and run again."""
    settings = {"parallel": PARALLEL, "parallel_optuna": PARALLEL}
    return tune(tmp_path_factory.mktemp("killed"), MODULES, runs=2, **settings)


@kinds("keras_tuner", "overwrite", "own_directory", "grid")
def test_the_fourth_trial_is_tried_again_and_three_are_kept(killed, kind):
    tuned = killed[kind]
    [failure] = tuned.failures
    assert "SIGKILL" in failure
    assert tuned.tried == [0, 1, 2, 3, 3, 4, 5]
    # With the same hyperparameters, which no other trial has.
    values = [values["x"] for _, values in tuned.tries]
    assert values[3] == values[4]
    assert len(set(values)) == 6
    assert sorted(int(row["trial_id"]) for row in tuned.results) == list(range(6))
    assert tuned.best["values"]["x"] == min(values, key=abs)
    assert re.search("earlier attempt: 3 are kept, tried again: 0*3\\n", tuned.logs[-1])


def test_a_study_tries_the_parameters_of_the_fourth_trial_again(killed):
    tuned = killed["optuna"]
    assert "SIGKILL" in tuned.failures[0]
    values = [values["x"] for _, values in tuned.tries]
    # Optuna gives the second try a number of its own; it does not count as another trial.
    assert tuned.tried == [0, 1, 2, 3, 4, 5, 6]
    assert values[4] == values[3]
    # The sampler's seed does not let the search begin again.
    assert len(set(values)) == 6
    assert [row["trial_id"] for row in tuned.search["trials"]] == list("012456")


def test_a_search_that_died_in_its_first_trial_begins_with_it(killed):
    tuned = killed["in_first"]
    assert tuned.tried == [0, 0, 1, 2, 3, 4, 5]
    assert tuned.tries[0] == tuned.tries[1]


@kinds("parallel", "parallel_optuna")
def test_parallel_trials_end_with_their_node_and_go_on_with_the_next(killed, kind):
    tuned = killed[kind]
    assert "SIGKILL" in tuned.failures[0]
    # Whatever was running when the node died has been begun twice, with the same values.
    values = [tuple(values.items()) for _, values in tuned.tries]
    assert len(set(values)) == 6
    assert len(values) <= 8
    finished = [trial for trial in tuned.search["trials"] if trial["status"] == "finished"]
    assert len(finished) == 6
    assert_alone(tuned)
