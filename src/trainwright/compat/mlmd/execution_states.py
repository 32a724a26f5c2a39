"""States of an execution, read from its message alone."""

from __future__ import annotations

import copy
import logging
from collections.abc import Iterable
from typing import Any

from google.protobuf import json_format

from trainwright.proto.mlmd.metadata_store_pb2 import Execution
from trainwright.proto.orchestration import execution_result_pb2

_EXECUTION_RESULT = "__execution_result__"

_logger = logging.getLogger(__name__)


def is_execution_successful(execution: Execution) -> bool:
    """Whether an execution is complete, by running or by reusing another's outputs."""
    return execution.last_known_state in (Execution.COMPLETE, Execution.CACHED)


def is_execution_active(execution: Execution) -> bool:
    """Whether an execution has not ended yet."""
    return execution.last_known_state in (Execution.NEW, Execution.RUNNING)


def is_execution_running(execution: Execution) -> bool:
    """Whether an execution runs."""
    return execution.last_known_state == Execution.RUNNING


def is_execution_canceled(execution: Execution) -> bool:
    """Whether an execution was stopped before its end."""
    return execution.last_known_state == Execution.CANCELED


def is_execution_failed(execution: Execution) -> bool:
    """Whether an execution has failed."""
    return execution.last_known_state == Execution.FAILED


def is_internal_key(key: str) -> bool:
    """Whether a property is one of the orchestrator, not of the component."""
    return key.startswith("__")


def remove_internal_keys(d: dict[str, Any]) -> dict[str, Any]:
    """The properties of the component."""
    return {key: value for key, value in d.items() if not is_internal_key(key)}


def is_schema_key(key: str) -> bool:
    """Whether a property says how another one is to be read."""
    return key.startswith("__schema__") and key.endswith("__") and len(key) >= 12


def get_schema_key(key: str) -> str:
    """The name of the property that says how this one is to be read."""
    return f"__schema__{key}__"


def sort_executions_newest_to_oldest(executions: Iterable[Execution]) -> list[Execution]:
    """The executions by the time when they were made."""
    return sorted(executions, key=lambda one: one.create_time_since_epoch, reverse=True)


def set_execution_result(
    execution_result: execution_result_pb2.ExecutionResult, execution: Execution
) -> None:
    """Puts an executor's result among the custom properties of its execution, as JSON."""
    try:
        text = json_format.MessageToJson(execution_result)
    except TypeError:
        # A message within an Any whose class this process does not have.
        _logger.exception("The details of an execution's result cannot be stored as JSON.")
        execution_result = copy.deepcopy(execution_result)
        execution_result.ClearField("metadata_details")
        text = json_format.MessageToJson(execution_result)
    execution.custom_properties[_EXECUTION_RESULT].string_value = text


def get_execution_result(
    execution: Execution, ignore_parse_errors: bool = False
) -> execution_result_pb2.ExecutionResult | None:
    """The result that `set_execution_result` has put there, if any.

    Args:
        ignore_parse_errors: None is returned for a result that cannot be read.
    """
    value = execution.custom_properties.get(_EXECUTION_RESULT)
    if value is None:
        return None
    try:
        return json_format.Parse(value.string_value, execution_result_pb2.ExecutionResult())
    except json_format.ParseError:
        if not ignore_parse_errors:
            raise
        _logger.exception("The result of an execution cannot be read.")
        return None
