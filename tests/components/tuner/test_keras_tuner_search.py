"""Messages and files of a keras_tuner search, without a search."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from trainwright.components.tuner.executor import write_best_hyperparameters
from trainwright.components.tuner.keras_tuner_adaptation import missing_objective
from trainwright.components.tuner.keras_tuner_search import KerasTunerSearch, explain_failures
from trainwright.components.tuner.results import SearchResults, TrialResult, describe_results
from trainwright.components.tuner.search_progress import SearchProgress
from trainwright.components.user_training.fn_args import read_hyperparameters
from trainwright.types import standard_artifacts as artifacts


def make_outputs(tmp_path):
    outputs = {
        "best_hyperparameters": [artifacts.HyperParameters()],
        "tuner_results": [artifacts.TunerResults()],
    }
    for key, [artifact] in outputs.items():
        artifact.uri = str(tmp_path / key)
    return outputs


class FoundTuner:
    """A tuner after its search with an oracle of another package: it only knows the best."""

    trial_id, score, status, max_trials, message = "0", 0.5, "COMPLETED", 1, None
    values = {"units": 8}

    @property
    def hyperparameters(self):
        return self

    @property
    def oracle(self):
        return self

    def get_config(self):
        return {"space": [], "values": self.values}

    def get_best_hyperparameters(self):
        return [self]

    def get_best_trials(self, count):
        return [self] * count


def test_what_was_found_is_written_as_a_trainer_reads_it(tmp_path):
    write_best_hyperparameters(FoundTuner(), make_outputs(tmp_path))
    written = {"space": [], "values": {"units": 8}}
    for uri in (
        tmp_path / "best_hyperparameters",
        tmp_path / "best_hyperparameters" / "best_hyperparameters.txt",
    ):
        assert read_hyperparameters(str(uri)) == written
    assert (tmp_path / "tuner_results" / "tuner_results.json").read_text() == (
        '[{"trial_id": "0", "score": 0.5, "units": 8}]'
    )
    assert not list(tmp_path.rglob("*.writing"))


@pytest.mark.parametrize("content", ["", "units=8", "[8]"])
def test_what_does_not_hold_hyperparameters_is_named(tmp_path, content):
    path = tmp_path / "best.txt"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"best\.txt does not hold hyperparameters: .*get_config"):
        read_hyperparameters(str(path))


def test_what_an_error_means_is_part_of_why_a_trial_failed():
    found = KerasTunerSearch(None, {}, SearchProgress(print), lambda error: f"Mend {error}"[:12])
    trial = SimpleNamespace(trial_id="1", message="cryptic\n")
    found.tell_failure(trial)
    assert trial.message == "cryptic\nMend cryptic"


def test_only_a_search_that_is_given_up_is_explained():
    trial = SimpleNamespace(
        trial_id="4", message="Traceback:\n  x\nE: y\n", hyperparameters=SimpleNamespace(values={})
    )
    assert explain_failures(RuntimeError("no new entries"), trial) is None
    error = RuntimeError("Number of consecutive failures exceeded the limit of 3.\n")
    assert "Trial 4, with {}, failed: E: y\n" in explain_failures(error, trial)


def test_an_objective_that_was_not_reported_gets_a_hint():
    words = missing_objective("val_acc", ["loss", "acc"], "fit")
    assert "validation_data" in words
    assert "nor anything else" in missing_objective("loss", [], "fit")


def test_the_summary_is_a_table_of_the_best(tmp_path):
    trials = [
        TrialResult(trial_id=f"{number}", score=1.0 * number, values={f"p{i}": i for i in range(9)})
        for number in range(7)
    ]
    results = SearchResults(
        objective="loss", direction="min", best={}, trials=trials, ranking=list("0123456")
    )
    lines = describe_results(results).splitlines()
    assert lines[0] == "best loss 0 (min), trial 0 of 7"
    assert len(lines) == 1 + 1 + 5 + 1
    assert "and 3 more hyperparameters" in lines[-1]
    assert json.loads(json.dumps(results.to_json())) == results.to_json()
