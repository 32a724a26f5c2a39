"""A search of keras_tuner that dies at any of its writes goes on, and tries nothing twice."""

from __future__ import annotations

import json
import shutil

import pytest

from trainwright.components.tuner import results
from trainwright.components.tuner.keras_tuner_adaptation import adapt_keras_tuner
from trainwright.components.tuner.project_repair import repair_project
from trainwright.components.tuner.trial_place import TrialPlace

keras_tuner = pytest.importorskip("keras_tuner")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:keras_tuner")


class Death(BaseException):
    """What stands for the end of the process: nobody catches it."""


class Search:
    """A search whose process may die at its n-th write.

    Args:
        directory: The state of the search.
        make: Makes the tuner, with its class and the space.
    """

    def __init__(self, directory, make):
        self.directory, self.make = directory, make
        self.tried = []

    def attempt(self, writes=None):
        """Runs the search; after this many writes it dies."""
        place = TrialPlace(str(self.directory))
        for project in place.projects():
            repair_project(project)
        adapt_keras_tuner(place)
        left = [writes]

        def write(path, value):
            if left[0] is not None:
                left[0] -= 1
                if left[0] < 0:
                    raise Death
            return results.write_json(path, value)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("trainwright.components.tuner.keras_tuner_adaptation.write_json", write)
            tuner = self.make(self)
            tuner.save()
            tuner.search(verbose=0)
        return tuner

    def begin(self, trial):
        self.tried.append((trial.trial_id, json.dumps(trial.hyperparameters.values)))


def space(**choices):
    hp = keras_tuner.HyperParameters()
    for name, values in choices.items():
        hp.Choice(name, values)
    return hp


def tuner_of(base, **options):
    """Makes tuners of a class of keras_tuner that note what they try."""

    def make(search):
        class Noting(base):
            def run_trial(self, trial, **fit_kwargs):
                search.begin(trial)
                values = trial.hyperparameters.values
                return values["x"] ** 2 + values["y"]

        objective = keras_tuner.Objective("loss", "min")
        hyperparameters = space(x=list(range(-9, 9)), y=list(range(20)))
        if "max_trials" not in options and base is keras_tuner.GridSearch:
            hyperparameters = space(x=[1, 2], y=[3, 4])
        given = {"objective": objective, "hyperparameters": hyperparameters, "seed": 5, **options}
        return Noting(hypermodel=None, **given)

    return make


TUNERS = {
    "random": (tuner_of(keras_tuner.RandomSearch, max_trials=4), 4),
    "grid": (tuner_of(keras_tuner.GridSearch), 4),
    "bayesian": (
        tuner_of(keras_tuner.BayesianOptimization, max_trials=4, num_initial_points=2),
        4,
    ),
    "hyperband": (tuner_of(keras_tuner.Hyperband, max_epochs=2, factor=2), 5),
}
# How many writes lie between two deaths: a Gaussian process takes its time.
STEPS = {"bayesian": 7}


@pytest.mark.parametrize("name", TUNERS)
def test_a_search_that_dies_at_any_write_goes_on(tmp_path, name):
    make, trials = TUNERS[name]
    whole = Search(tmp_path / "whole", make)
    whole.attempt()
    assert len(whole.tried) == trials
    for writes in range(0, 200, STEPS.get(name, 1)):
        search = Search(tmp_path / f"{writes}", make)
        try:
            search.attempt(writes)
        except Death:
            pass
        else:
            break
        # The state is moved between attempts.
        search.directory = shutil.move(search.directory, tmp_path / f"moved{writes}")
        before = list(search.tried)
        tuner = search.attempt()
        # At most the one that was running is tried again, and then with the same values.
        assert len(search.tried) <= trials + 1, writes
        if len(search.tried) == trials + 1:
            assert search.tried[len(before)] == before[-1], writes
        if name != "bayesian":  # which draws anew from what it has seen
            assert sorted(set(search.tried)) == sorted(set(whole.tried)), writes
        statuses = [trial.status for trial in tuner.oracle.trials.values()]
        assert statuses == ["COMPLETED"] * trials, writes
    else:
        raise AssertionError("it never came to its end")


def test_half_a_trial_does_not_break_the_next_attempt(tmp_path):
    make, trials = TUNERS["random"]
    search = Search(tmp_path, make)
    with pytest.raises(Death):
        search.attempt(writes=20)
    project = tmp_path / "untitled_project"
    ids = json.loads((project / "oracle.json").read_text())["start_order"]
    (project / f"trial_{ids[-1]}" / "trial.json").write_text('{"trial_id": "')
    (project / f"trial_{ids[0]}" / "trial.json").write_text("[]")
    tuner = search.attempt()
    statuses = {trial.trial_id: trial.status for trial in tuner.oracle.trials.values()}
    assert len(statuses) == trials
    assert statuses.pop(ids[0]) == "FAILED"
    assert set(statuses.values()) == {"COMPLETED"}


@pytest.mark.parametrize("damage", ["", "{}", "[]", '{"start_order": 3}'])
def test_without_its_oracle_a_search_begins_anew_and_leaves_what_is_not_its_own(tmp_path, damage):
    make, trials = TUNERS["random"]
    search = Search(tmp_path, make)
    search.attempt()
    project = tmp_path / "untitled_project"
    (project / "oracle.json").write_text(damage)
    (project / "notes.txt").write_text("mine")
    search.tried.clear()
    search.attempt()
    assert len(search.tried) == trials
    assert (project / "notes.txt").read_text() == "mine"


def test_trials_after_which_a_search_was_given_up_are_tried_again(tmp_path):
    is_broken = [True]

    def make(search):
        tuner = TUNERS["random"][0](search)
        run_trial = tuner.run_trial

        def failing(trial, **options):
            result = run_trial(trial, **options)
            if is_broken[0] and trial.trial_id != "0":
                raise ValueError("the disk is full")
            return result

        tuner.run_trial = failing
        return tuner

    search = Search(tmp_path, make)
    with pytest.raises(RuntimeError, match="consecutive failures"):
        search.attempt()
    is_broken[0] = False
    tuner = search.attempt()
    assert [number for number, _ in search.tried] == list("0123123")
    assert {trial.status for trial in tuner.oracle.trials.values()} == {"COMPLETED"}


def test_a_directory_of_the_users_own_is_cleared_once_if_the_user_says_so(tmp_path):
    own = tmp_path / "own"
    make = tuner_of(keras_tuner.RandomSearch, max_trials=3, directory=str(own), overwrite=True)
    for state in ("first", "second"):
        search = Search(tmp_path / state, make)
        with pytest.raises(Death):
            search.attempt(writes=9)
        search.attempt()
        # Not those of the other search, and not more than one of its own twice.
        assert 3 <= len(search.tried) <= 4
    assert not list((tmp_path / "second").glob("untitled*"))
