"""The error of a failed run, which can be caught as what the component itself raised.

An exception was raised in another process. What travels are the names of its classes and its plain
values (`exception_values`); nothing is unpickled. Whoever writes `except SomeError` has the class
in this process already, so that classes are looked up among the imported modules and none is
imported.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from trainwright._printable import printable
from trainwright.dsl.type_names import SCRIPT_MODULE
from trainwright.orchestration.execution.exception_values import decode_arguments, decode_attributes
from trainwright.orchestration.run_result import NodeFailure, PipelineRunError, RunResult

_OWN_NAMES = {
    "__module__": PipelineRunError.__module__,
    "__doc__": PipelineRunError.__doc__,
    "__reduce__": lambda self: (run_error, (self.result,)),
}
# Raised out of a call they would steer the caller's loops instead of telling of a failure.
_CONTROL_FLOW = (StopIteration, StopAsyncIteration)


def run_error(result: RunResult) -> PipelineRunError:
    """A PipelineRunError that is also of the type that the first failed component raised.

    A type that this process does not know, or that cannot be combined with ours, counts as its
    base class. The error has the arguments and attributes of the component's exception that are
    plain values, and as its cause that exception, where it can be made again from them.
    """
    failure = result.failures[0]
    names = failure.exception_classes.split()
    combined = (_combined(_loaded_class(name), result) for name in names)
    error = next((one for one in combined if one is not None), None)
    if error is None:
        error = PipelineRunError(result)
    else:
        _take_values(error, failure)
    error.__cause__ = _remake(_loaded_class(names[0]), failure) if names else None
    return error


def _loaded_class(name: str) -> type[Exception] | None:
    """The class of that name, `module:name`, if its module is imported here."""
    module_name, _, qualname = name.partition(":")
    found: Any = sys.modules.get(module_name)
    if found is None and module_name == SCRIPT_MODULE:
        found = sys.modules.get("__main__")
    for part in qualname.split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, type) and issubclass(found, Exception) else None


def _combined(class_: type[Exception] | None, result: RunResult) -> PipelineRunError | None:
    if class_ is None or issubclass(PipelineRunError, class_):
        return None
    if issubclass(class_, (PipelineRunError, *_CONTROL_FLOW)):
        return None
    try:
        # Under its usual name: what it is beside that is told by its message.
        both = type(PipelineRunError.__name__, (PipelineRunError, class_), dict(_OWN_NAMES))
        error: PipelineRunError = both(result)
    except Exception:  # whatever a class of the user's does when it is extended or made
        return None
    return error


def _take_values(error: PipelineRunError, failure: NodeFailure) -> None:
    """Gives the error what the exception held. What is ours stays: `result` and the summary, which
    `str()` shows whatever the attributes are."""
    arguments = decode_arguments(failure.exception_arguments)
    if arguments is not None:
        error.args = arguments
    if isinstance(error, SyntaxError):
        error.msg = str(error)  # by which Python prints it
    ours = {*vars(error), *dir(PipelineRunError)}
    attributes = decode_attributes(failure.exception_attributes)
    _set({name: value for name, value in attributes.items() if name not in ours}, error)


def _set(attributes: Mapping[str, Any], error: Exception) -> None:
    for name, value in attributes.items():
        with contextlib.suppress(Exception):  # a property, or whatever else the class makes of it
            setattr(error, name, value)


def _remake(class_: type[Exception] | None, failure: NodeFailure) -> Exception | None:
    """The exception again; None if another one would come of it, or if it cannot be printed."""
    if class_ is None or issubclass(class_, PipelineRunError):  # which is nothing without a result
        return None
    # The constructor may take other arguments than it has kept.
    makers = (class_, functools.partial(class_.__new__, class_))
    made = (_make_with(make, failure) for make in makers)
    return next((one for one in made if one is not None), None)


def _make_with(make: Callable[..., Exception], failure: NodeFailure) -> Exception | None:
    arguments = decode_arguments(failure.exception_arguments)
    try:
        if arguments is None:
            return None
        made = make(*arguments)
        _set(decode_attributes(failure.exception_attributes), made)
        # An error that nobody catches is printed with its cause.
        shown = "".join(traceback.format_exception_only(made))
        is_same = str(made) == failure.message and printable(shown) == shown
    except Exception:  # whatever a class of the user's does
        return None
    return made if is_same else None
