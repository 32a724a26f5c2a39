"""Refusals of a Trainer before anything runs: which function trains, and what it needs."""

from __future__ import annotations

import warnings

import pytest

from trainwright import _estimator_repairs as estimator_repairs
from trainwright.components import Trainer
from trainwright.components.trainer.driver import TrainerDriver
from trainwright.components.trainer.executor import Executor, GenericExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types.channel import Channel
from trainwright.types.standard_artifacts import Examples, Schema

TRAINER_FN = "def trainer_fn(trainer_fn_args, schema):\n    pass\n"
RUN_FN = "def run_fn(fn_args):\n    pass\n"


@pytest.fixture
def check(tmp_path):
    """Declares a Trainer with a module file, unless a function is given, and checks it."""

    def check(source="", *, schema=True, executor=None, environment=(), **arguments):
        if source:
            (tmp_path / "module.py").write_text(source)
            arguments["module_file"] = str(tmp_path / "module.py")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            trainer = Trainer(
                Channel(type=Examples),
                schema=Channel(type=Schema) if schema else None,
                custom_executor_spec=ExecutorClassSpec(executor) if executor else None,
                **arguments,
            ).with_environment(**dict(environment))
        TrainerDriver().check(trainer, trainer.exec_properties)

    return check


def test_what_can_train_passes(check):
    check(RUN_FN, schema=False)
    check(RUN_FN + TRAINER_FN, schema=False)  # run_fn trains
    check(TRAINER_FN)
    check(TRAINER_FN + RUN_FN, executor=Executor)
    check(RUN_FN, executor=GenericExecutor, schema=False)
    check(trainer_fn="json.loads")
    check(trainer_fn="json.loads", executor=GenericExecutor)
    check("from json import *\n", executor=Executor)


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (TRAINER_FN, {"schema": False}, r"needs a schema. Give it schema=schema_gen.outputs"),
        (RUN_FN, {"executor": Executor}, "has no function 'trainer_fn'"),
        (
            "def trainer_fn(fn_args):\n    pass\n",
            {},
            r"called with 2 arguments, trainer_fn\(trainer_fn_args, schema\); it takes 1",
        ),
        (
            "",
            {"run_fn": "json.loads", "executor": Executor},
            "has the Estimator executor, which calls trainer_fn, and was given run_fn",
        ),
        (
            TRAINER_FN,
            {"environment": {"TF_USE_LEGACY_KERAS": "0"}},
            "needs Keras 2, but TF_USE_LEGACY_KERAS is '0'",
        ),
        (
            "",
            {"trainer_fn": "nowhere_to_be_found.trainer_fn"},
            "there is no module 'nowhere_to_be_found'",
        ),
    ],
)
def test_what_cannot_train_is_refused(check, source, options, message):
    with pytest.raises(ValueError, match=message):
        check(source, **options)


@pytest.mark.parametrize(
    ("source", "options"),
    [(TRAINER_FN, {}), ("", {"trainer_fn": "json.loads"}), (TRAINER_FN, {"executor": Executor})],
)
def test_without_the_extra_the_error_says_what_to_install(check, monkeypatch, source, options):
    monkeypatch.setattr(estimator_repairs, "is_installed", lambda: False)
    with pytest.raises(ValueError, match=r"pip install 'trainwright\[estimator\]'"):
        check(source, **options)
    check(RUN_FN)


def test_an_executor_of_the_users_own_may_call_other_functions(check):
    class Own(GenericExecutor):
        def Do(self, input_dict, output_dict, exec_properties):  # noqa: N802
            pass

    check("def train(x):\n    pass\n", executor=Own)
