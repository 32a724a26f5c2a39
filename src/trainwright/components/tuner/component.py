"""Tuner: looks for the hyperparameters with which a model trains best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from trainwright.components.custom_config import encode_custom_config
from trainwright.components.older_arguments import takes_older_arguments
from trainwright.components.tuner.driver import TunerDriver
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import trainer_pb2, tuner_pb2
from trainwright.types.channel import BaseChannel
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_component_specs import TunerSpec

_ArgsLike = Mapping[str, Any] | str | RuntimeParameter


class TunerFnResult(NamedTuple):
    """What `tuner_fn(fn_args)` returns.

    Args:
        tuner: A tuner of keras_tuner, or a study of Optuna.
        fit_kwargs: The arguments of its search: the datasets, the number of steps. Those of a
            study are the objective, `func`, and `n_trials`.

    Example:
        ```python
        def tuner_fn(fn_args):
            tuner = keras_tuner.RandomSearch(
                make_model, objective="val_accuracy", max_trials=10, directory=fn_args.working_dir
            )
            return TunerFnResult(tuner=tuner, fit_kwargs={"x": train, "validation_data": eval})
        ```
    """

    tuner: Any
    fit_kwargs: dict[str, Any]


class Tuner(BaseComponent):
    """Looks for the hyperparameters with which a model trains best, by calling `tuner_fn(fn_args)`.

    Outputs are `best_hyperparameters`, which a Trainer takes as `hyperparameters`, and
    `tuner_results`, all trials. Finished trials survive a crash: the next run goes on after them.

    Args:
        examples: The examples, raw or transformed.
        schema: The schema of raw examples.
        transform_graph: What Transform made.
        base_model: A model to start from.
        module_file: The path of a .py file with `tuner_fn`.
        tuner_fn: Instead of a module file: a dotted path.
        train_args: `TrainArgs`, a dict or JSON.
        eval_args: `EvalArgs`, likewise.
        tune_args: `TuneArgs`, likewise: `{"num_parallel_trials": 4}` tries that many at a time,
            each in a process of its own.
        custom_config: A dict for `fn_args.custom_config`.

    Example:
        ```python
        tuner = Tuner(
            examples=transform.outputs["transformed_examples"],
            transform_graph=transform.outputs["transform_graph"],
            module_file="penguin_utils.py",
            train_args={"num_steps": 20},
            eval_args={"num_steps": 5},
        )
        ```
    """

    SPEC_CLASS = TunerSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.tuner.executor:Executor")
    DRIVER_CLASS: ClassVar[type[BaseDriver]] = TunerDriver

    @takes_older_arguments(
        outputs={
            "best_hyperparameters": "best_hyperparameters",
            "tuner_results": "tuner_results",
        }
    )
    def __init__(
        self,
        examples: BaseChannel,
        schema: BaseChannel | None = None,
        transform_graph: BaseChannel | None = None,
        base_model: BaseChannel | None = None,
        module_file: str | RuntimeParameter | None = None,
        tuner_fn: str | RuntimeParameter | None = None,
        train_args: trainer_pb2.TrainArgs | _ArgsLike | None = None,
        eval_args: trainer_pb2.EvalArgs | _ArgsLike | None = None,
        tune_args: tuner_pb2.TuneArgs | _ArgsLike | None = None,
        custom_config: Mapping[str, Any] | RuntimeParameter | None = None,
    ) -> None:
        if bool(module_file) == bool(tuner_fn):
            raise ValueError(
                "Exactly one of 'module_file' or 'tuner_fn' must be supplied; got "
                f"module_file={module_file!r}, tuner_fn={tuner_fn!r}."
            )
        spec = TunerSpec(
            examples=examples,
            schema=schema,
            transform_graph=transform_graph,
            base_model=base_model,
            module_file=module_file,
            tuner_fn=tuner_fn,
            train_args=trainer_pb2.TrainArgs() if train_args is None else train_args,
            eval_args=trainer_pb2.EvalArgs() if eval_args is None else eval_args,
            tune_args=tune_args,
            custom_config=encode_custom_config(custom_config),
        )
        super().__init__(spec=spec)
