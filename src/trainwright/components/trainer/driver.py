"""The Trainer's driver: checks before it runs."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from trainwright import _estimator_repairs as estimator_repairs
from trainwright import _keras_choice
from trainwright.components.user_module import (
    check_module_file,
    check_module_name,
    defined_names,
)
from trainwright.components.user_training.driver import TrainingDriver
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import has_custom_executor
from trainwright.dsl.executor_spec import ExecutorClassSpec

_RUN_FN, _TRAINER_FN = "run_fn", "trainer_fn"
# What these functions are called with.
_ARGUMENTS = {_RUN_FN: ("fn_args",), _TRAINER_FN: ("trainer_fn_args", "schema")}


class TrainerDriver(TrainingDriver):
    """Looks at the module file before any node starts; its content is part of the cache key."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        if has_custom_executor(component) and not _is_own_executor(component):
            return  # a custom executor may look for other functions
        name = _choose_function(component, exec_properties)
        if name == _TRAINER_FN:
            _check_estimator_needs(component)
        module_file = exec_properties.get("module_file")
        if module_file:
            takes = _ARGUMENTS[name]
            check_module_file(module_file, component.id, name, takes, by_position=len(takes))
        else:
            check_module_name(exec_properties.get(name), name, component.id)


def trains_estimator(functions: Container[str]) -> bool:
    """Whether a module file with these functions trains an Estimator: it has no `run_fn`."""
    return _TRAINER_FN in functions and _RUN_FN not in functions


def _is_own_executor(component: BaseComponent) -> bool:
    """Whether the executor is one of ours that calls run_fn or trainer_fn, not a user's own."""
    return _is_executor(component, "GenericExecutor")


def _is_executor(component: BaseComponent, name: str) -> bool:
    spec = component.executor_spec
    if not isinstance(spec, ExecutorClassSpec):
        return False
    # Imported only here: an executor is not needed to declare a pipeline.
    from trainwright.components.trainer import executor

    executor_class = spec.executor_class
    is_it = issubclass(executor_class, getattr(executor, name))
    return is_it and executor_class.Do is executor.GenericExecutor.Do


def _choose_function(component: BaseComponent, exec_properties: Mapping[str, Any]) -> str:
    """Which function of the user's trains.

    Raises:
        ValueError: if a function is given for another executor than the component has.
    """
    given = {name for name in (_RUN_FN, _TRAINER_FN) if exec_properties.get(name)}
    if _is_executor(component, "Executor"):
        if _RUN_FN in given:
            raise ValueError(
                f"{component.id} has the Estimator executor, which calls trainer_fn, and was given "
                "run_fn. Leave the executor out: then run_fn trains."
            )
        return _TRAINER_FN
    if _TRAINER_FN in given:
        return _TRAINER_FN
    module_file = exec_properties.get("module_file")
    functions = defined_names(module_file) if module_file else ()
    return _TRAINER_FN if trains_estimator(functions) else _RUN_FN


def _check_estimator_needs(component: BaseComponent) -> None:
    """What an Estimator needs beside its function.

    Raises:
        ValueError: which says what is missing, and what to do.
    """
    if not estimator_repairs.is_installed():
        raise ValueError(estimator_repairs.missing_extra(component.id))
    if "schema" not in component.inputs:
        raise ValueError(
            f"{component.id} trains an Estimator, whose trainer_fn(trainer_fn_args, schema) needs "
            "a schema. Give it schema=schema_gen.outputs['schema'], or that of ImportSchemaGen."
        )
    keras = component.environment.get(_keras_choice.VARIABLE, _keras_choice.choice_for_workers())
    if keras not in _keras_choice.LEGACY:
        raise ValueError(
            f"{component.id} trains an Estimator, which needs Keras 2, but "
            f"{_keras_choice.VARIABLE} is {keras!r}. Leave the variable out, or set it to 1."
        )
