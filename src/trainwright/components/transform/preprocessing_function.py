"""PreprocessingFunction: the user's function, and its mistakes told in its own words and lines."""

from __future__ import annotations

import functools
import inspect
import os
import site
import sysconfig
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import tensorflow as tf
from tensorflow_transform import graph_context

from trainwright._suggest import did_you_mean
from trainwright.types.standard_component_specs import CUSTOM_CONFIG_KEY

# What examples can hold.
_DTYPES = (tf.float32, tf.int64, tf.string)

# Where code lies that is not the user's.
_LIBRARIES = tuple(
    os.path.join(directory, "")
    for directory in (
        *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        *site.getsitepackages(),
        site.getusersitepackages(),
        str(Path(__file__).resolve().parents[2]),
    )
)
# TensorFlow writes traced functions into temporary modules.
_GENERATED = "__autograph_generated_file"


def bind_custom_config(function: Callable[..., Any], custom_config: Any) -> Callable[..., Any]:
    """The function with `custom_config` filled in, if it has such an argument."""
    if CUSTOM_CONFIG_KEY not in inspect.signature(function).parameters:
        return function
    return functools.partial(function, custom_config=custom_config or {})


class PreprocessingFunction:
    """A preprocessing function that is checked each time it is called.

    tf.Transform calls it several times, with symbolic tensors, to trace it.

    Args:
        function: The user's function of one argument.

    Raises:
        ValueError: when called, if the function raises an error, which is the cause, or gives what
            cannot be written as examples.
    """

    def __init__(self, function: Callable[[dict[str, Any]], Any]) -> None:
        self._function = function
        # The lines that made the outputs, by name, as " at features.py line 12".
        self.lines: dict[str, str] = {}
        self.traces = TraceComparison()

    def __call__(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        graph = tf.compat.v1.get_default_graph()
        made_before = len(graph.get_operations())
        try:
            outputs = self._function(_Inputs(inputs))
        except Exception as error:
            raise ValueError(_describe(error)) from error
        if graph.building_function:  # not in TensorFlow 1's way, which traces once
            self.traces.add(graph.get_operations()[made_before:])
        if not isinstance(outputs, dict) or not outputs:
            raise ValueError(
                f"preprocessing_fn returned {_shorten(outputs)}. Expected a dict with at least one "
                "tensor, by the name of the transformed feature."
            )
        for name, tensor in outputs.items():
            self.lines[name] = _line_of_tensor(tensor)
            self._check_output(name, tensor)
        return outputs

    def describe(self, name: str) -> str:
        """An output and the line that made it, in words."""
        return f"The output {name!r} of preprocessing_fn{self.lines.get(name, '')}"

    def _check_output(self, name: Any, tensor: Any) -> None:
        if not isinstance(name, str):
            raise ValueError(
                f"preprocessing_fn returned an output with the name {name!r}. Expected a string."
            )
        if not isinstance(tensor, (tf.Tensor, tf.SparseTensor, tf.RaggedTensor)):
            raise ValueError(
                f"{self.describe(name)} is {_shorten(tensor)}, a {type(tensor).__name__}. Expected "
                "a tensor, dense, sparse or ragged."
            )
        if tensor.dtype not in _DTYPES:
            wanted = "tf.float32" if tensor.dtype.is_floating else "tf.int64"
            raise ValueError(
                f"{self.describe(name)} is of type {tensor.dtype.name}. Examples hold float32, "
                f"int64 and string: write tf.cast(..., {wanted})."
            )
        shape = tensor.shape
        if shape.rank is not None and (shape.rank == 0 or shape[0] is not None):
            raise ValueError(
                f"{self.describe(name)} has the shape {tuple(shape)} whatever the number of "
                "examples. Expected one value, or one row of values, for each example: the first "
                "dimension is the batch. What is the same for all examples, such as tft.mean, can "
                "be combined with each of them, but is not an output."
            )


class _Inputs(dict[str, Any]):
    """The inputs; one that is not there is told apart from other keys that are missing."""

    def __missing__(self, name: str) -> Any:
        raise _MissingFeatureError(name, list(self))

    def copy(self) -> _Inputs:
        return _Inputs(self)


class _MissingFeatureError(KeyError):
    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(name)
        self.name = name
        self.known = known


def _describe(error: Exception) -> str:
    line = _line_of_error(error)
    if isinstance(error, _MissingFeatureError):
        guess = did_you_mean(str(error.name), error.known)
        return f"preprocessing_fn asked for the feature {error.name!r}{line}{guess}"
    return f"preprocessing_fn failed{line}: {type(error).__name__}: {error}"


def _shorten(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}..."


class TraceComparison:
    """Notices a function that does not do the same each time it is traced.

    Compares traces that should be equal: those with the same results of analyzers put in.

    tf.Transform notices when analyzers come in another order. A number that changes it puts into
    the graph, as it was in the last trace, and applies it to what was computed in the first.
    """

    def __init__(self) -> None:
        self._traces: dict[frozenset[str], list[tuple[Any, ...]]] = {}
        # Where two traces part, as " at features.py line 12" or "" where no line is known; None
        # as long as they do not.
        self.difference: str | None = None

    def add(self, operations: Sequence[Any]) -> None:
        """Takes the operations that a call of the function made, within the call's context."""
        evaluated = graph_context.TFGraphContext.get_evaluated_replacements() or {}
        trace = [_features(operation) for operation in operations]
        earlier = self._traces.setdefault(frozenset(evaluated), trace)
        if self.difference is not None or earlier == trace:
            return
        steps = zip_longest(operations, earlier, trace)
        operation = next(operation for operation, one, other in steps if one != other)
        self.difference = _line_of_operation(operation) if operation is not None else ""


def _features(operation: Any) -> tuple[Any, ...]:
    """What makes an operation another one. Strings may be paths, which differ in any case."""
    if operation.type == "Const" and operation.get_attr("dtype") != tf.string:
        return operation.type, operation.get_attr("value").SerializeToString()
    return (operation.type,)


def _line_of_error(error: BaseException) -> str:
    """The last line of the user's that an error passed through: `" at features.py line 12"`.

    Empty if there is none.
    """
    return _last_line(traceback.extract_tb(error.__traceback__))


def _line_of_tensor(tensor: Any) -> str:
    """The line of the user's that made a tensor of a traced graph, in the same words."""
    parts = getattr(tensor, "flat_values", getattr(tensor, "values", tensor))
    operation = getattr(parts, "op", None)
    return _line_of_operation(operation) if operation is not None else ""


def _line_of_operation(operation: Any) -> str:
    # What was read from files, as a saved model is, has no traceback.
    return _last_line(operation.traceback or ())


def _last_line(frames: Iterable[Any]) -> str:
    """Frames have `filename` and `lineno`, the innermost comes last."""
    users = [frame for frame in frames if _is_the_users(frame.filename)]
    return f" at {os.path.basename(users[-1].filename)} line {users[-1].lineno}" if users else ""


def _is_the_users(filename: str) -> bool:
    if os.path.basename(filename).startswith(_GENERATED) or filename.startswith("<frozen"):
        return False
    return not os.path.abspath(filename).startswith(_LIBRARIES)
