"""Metrics of other packages, which entry points name by their class name."""

from __future__ import annotations

import pytest

from trainwright._plugins import PluginError
from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.engine.local_engine import LocalEngine
from trainwright.evaluation.config.config_check import check_eval_config
from trainwright.evaluation.config.config_completion import complete_eval_config
from trainwright.evaluation.config.config_reading import read_eval_config
from trainwright.evaluation.evaluate import evaluate
from trainwright.evaluation.metrics.errors import UnknownMetricError

ERRORS = """
    from dataclasses import dataclass

    from trainwright.evaluation.metrics.pair_sums import pair_metric
    from trainwright.evaluation.metrics.requested import RequestedMetric


    def within(pairs, metric_name):
        errors = abs(pairs.labels_for(metric_name) - pairs.predictions)
        return (errors < 0.25) * 1.0, (errors < 0.5) * 1.0, errors >= 0


    @dataclass(frozen=True, kw_only=True)
    class ShareWithin(RequestedMetric):
        wide: bool = False

        def at(self, scope):
            column = 1 if self.wide else 0
            return [
                pair_metric(
                    scope, self.name, within, 3, lambda sums: float(sums[column] / sums[2])
                )
            ]


    class Unrelated:
        pass
"""

PREDICTIONS = [0.1, 0.3, 0.45, 0.9, 0.6]  # of labels that are 0


@pytest.fixture
def errors(install_package):
    offered = {
        "ShareWithin": "errors_within:ShareWithin",
        "AUC": "errors_within:Unrelated",
        "Cubed": "errors_within:Unrelated",
        "Gone": "errors_within:Gone",
    }
    install_package("error-metrics", {"trainwright.metrics": offered}, errors_within=ERRORS)


@pytest.fixture
def files(tmp_path):
    paths = []
    for number, part in enumerate((PREDICTIONS[:2], PREDICTIONS[2:])):
        paths.append(tmp_path / f"part-{number}.gz")
        with open_gzip_writer(paths[-1]) as write:
            for prediction in part:
                example = example_class()()
                example.features.feature["x"].float_list.value.append(prediction)
                example.features.feature["label"].int64_list.value.append(0)
                write([example.SerializeToString()])
    return paths


def config(*metrics):
    return read_eval_config(
        {
            "model_specs": [{"label_key": "label", "prediction_key": "x"}],
            "metrics_specs": [{"metrics": list(metrics)}],
        }
    )


SHARE = {"class_name": "ShareWithin"}
WIDE = {"class_name": "ShareWithin", "config": '{"wide": true, "name": "near"}'}
BOUND = {"threshold": {"value_threshold": {"lower_bound": {"value": 0.1}}}}


@pytest.mark.parametrize("processes", [1, 2])
def test_is_computed_in_this_process_and_in_others(errors, files, processes):
    asked = complete_eval_config(config(SHARE, WIDE), has_baseline=False, has_model=False)
    with LocalEngine(processes, inline_bytes=-1) as engine:
        found = evaluate(files, asked, {}, engine=engine)
    values = {key.name: value for key, value in found.slices[0].metrics.items()}
    assert values == {"share_within": pytest.approx(0.2), "near": pytest.approx(0.6)}


def check(*metrics):
    check_eval_config(config(*metrics), has_baseline=False, has_model=False)


def test_is_checked_before_a_run_like_our_own(errors):
    check({**SHARE, **BOUND}, {**WIDE, **BOUND})
    with pytest.raises(ValueError, match="ShareWithin has no argument 'wid'; did you mean 'wide'"):
        check({"class_name": "ShareWithin", "config": '{"wid": true}'})
    with pytest.raises(ValueError, match="'wide' of the metric ShareWithin is 3.*true or false"):
        check({"class_name": "ShareWithin", "config": '{"wide": 3}'})


def test_names_that_are_not_built_in_are_among_those_that_are_near(errors):
    with pytest.raises(UnknownMetricError, match="no metric 'SharWithin'. Near it are ShareWithin"):
        check({"class_name": "SharWithin"})


def test_built_in_metrics_and_modules_go_first(errors):
    check({"class_name": "AUC"})
    check({"class_name": "Cubed", "module": "my.metrics"})


@pytest.mark.parametrize(
    ("class_name", "problem"),
    [("Cubed", "Unrelated.*: expected a subclass of RequestedMetric"), ("Gone", "be imported")],
)
def test_what_is_not_a_metric_is_refused_with_its_package(errors, class_name, problem):
    with pytest.raises(PluginError, match=f"'{class_name}'.* of error-metrics, which .*{problem}"):
        check({"class_name": class_name})
