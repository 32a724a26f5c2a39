"""Trainer: trains a model with the user's own module file."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from trainwright.components.custom_config import encode_custom_config
from trainwright.components.older_arguments import takes_older_arguments
from trainwright.components.trainer.driver import TrainerDriver
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.executor_spec import ExecutorClassSpec, ExecutorSpec
from trainwright.proto import trainer_pb2
from trainwright.types.channel import BaseChannel
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_component_specs import TrainerSpec

TrainArgsLike = trainer_pb2.TrainArgs | Mapping[str, Any] | str | RuntimeParameter
EvalArgsLike = trainer_pb2.EvalArgs | Mapping[str, Any] | str | RuntimeParameter


class Trainer(BaseComponent):
    """Trains a model by calling `run_fn(fn_args)` of a module file.

    Outputs are `model` (a SavedModel for serving, and an eval model if `run_fn` wrote one) and
    `model_run` (logs and checkpoints, kept also when training fails).

    Args:
        examples: The examples, raw or transformed.
        transformed_examples: Deprecated name for transformed `examples`; needs `transform_graph`.
        transform_graph: What Transform made; its path is `fn_args.transform_graph_path`.
        schema: The schema; its file is `fn_args.schema_path`.
        base_model: A model to start from; its path is `fn_args.base_model`.
        hyperparameters: What Tuner found; `fn_args.hyperparameters`.
        module_file: The path of a .py file with `run_fn`.
        run_fn: Instead of a module file: a dotted path (`"my_package.training.run_fn"`) or the
            function itself.
        train_args: `TrainArgs`, a dict or JSON: `{"num_steps": 100, "splits": ["train"]}`.
        eval_args: `EvalArgs`, likewise.
        custom_config: A dict for `fn_args.custom_config`.
        custom_executor_spec: Another executor for this node.
        statistics: Statistics of the examples; gives `fn_args.num_examples`.
        trainer_fn: The dotted path of an Estimator's `trainer_fn`.

    Example:
        ```python
        trainer = Trainer(
            examples=example_gen.outputs["examples"],
            schema=schema_gen.outputs["schema"],
            module_file="penguin_trainer.py",
            train_args={"num_steps": 100},
            eval_args={"num_steps": 5},
        )
        ```
    """

    STORED_TYPE_NAME: ClassVar[str] = "tfx.components.trainer.component.Trainer"

    SPEC_CLASS = TrainerSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.trainer.executor:GenericExecutor")
    DRIVER_CLASS: ClassVar[type[BaseDriver]] = TrainerDriver

    @takes_older_arguments(
        renamed={"transform_output": "transform_graph", "base_models": "base_model"},
        outputs={"output": "model", "model": "model", "model_run": "model_run"},
    )
    def __init__(
        self,
        examples: BaseChannel | None = None,
        transformed_examples: BaseChannel | None = None,
        transform_graph: BaseChannel | None = None,
        schema: BaseChannel | None = None,
        base_model: BaseChannel | None = None,
        hyperparameters: BaseChannel | None = None,
        module_file: str | RuntimeParameter | None = None,
        run_fn: str | Callable[..., Any] | RuntimeParameter | None = None,
        train_args: TrainArgsLike | None = None,
        eval_args: EvalArgsLike | None = None,
        custom_config: Mapping[str, Any] | RuntimeParameter | None = None,
        custom_executor_spec: ExecutorSpec | None = None,
        *,
        statistics: BaseChannel | None = None,
        trainer_fn: str | RuntimeParameter | None = None,
    ) -> None:
        _check_functions(module_file, run_fn, trainer_fn)
        spec = TrainerSpec(
            examples=_choose_examples(examples, transformed_examples, transform_graph),
            statistics=statistics,
            transform_graph=transform_graph,
            schema=schema,
            base_model=base_model,
            hyperparameters=hyperparameters,
            train_args=trainer_pb2.TrainArgs() if train_args is None else train_args,
            eval_args=trainer_pb2.EvalArgs() if eval_args is None else eval_args,
            module_file=module_file,
            run_fn=run_fn,
            trainer_fn=trainer_fn,
            custom_config=encode_custom_config(custom_config),
        )
        if custom_executor_spec is not None:
            warnings.warn(
                "custom_executor_spec is deprecated; subclass Trainer and set EXECUTOR_SPEC.",
                DeprecationWarning,
                stacklevel=3,
            )
        super().__init__(spec=spec, custom_executor_spec=custom_executor_spec)


def _check_functions(module_file: Any, run_fn: Any, trainer_fn: Any) -> None:
    if sum(given is not None for given in (module_file, run_fn, trainer_fn)) != 1:
        raise ValueError(
            "Exactly one of 'module_file', 'trainer_fn', or 'run_fn' must be supplied."
        )
    if run_fn is not None and not (isinstance(run_fn, (str, RuntimeParameter)) or callable(run_fn)):
        raise TypeError(
            f"Expected a dotted path or a function for parameter 'run_fn' but got {run_fn!r}."
        )


def _choose_examples(
    examples: BaseChannel | None,
    transformed_examples: BaseChannel | None,
    transform_graph: BaseChannel | None,
) -> BaseChannel:
    if (examples is None) == (transformed_examples is None):
        raise ValueError("Exactly one of 'example' or 'transformed_example' must be supplied.")
    if examples is not None:
        return examples
    assert transformed_examples is not None
    if transform_graph is None:
        raise ValueError(
            "If 'transformed_examples' is supplied, 'transform_graph' must be supplied too."
        )
    warnings.warn(
        "transformed_examples is deprecated; pass the channel as examples.",
        DeprecationWarning,
        stacklevel=4,
    )
    return transformed_examples
