"""The error of a failed run, which can be caught as what the component itself raised.

An exception was raised in another process. What travels are the names of its classes and its plain
arguments; nothing is unpickled. Whoever writes `except SomeError` has the class in this process
already, so that classes are looked up among the imported modules and none is imported.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from trainwright._printable import printable
from trainwright.dsl.type_names import SCRIPT_MODULE
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
    base class. The cause of the error is the component's exception, where that can be made again
    from its arguments.
    """
    failure = result.failures[0]
    names = failure.exception_classes.split()
    combined = (_combined(_loaded_class(name), result) for name in names)
    error = next((one for one in combined if one is not None), PipelineRunError(result))
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


def _remake(class_: type[Exception] | None, failure: NodeFailure) -> Exception | None:
    """The exception again; None if another one would come of it, or if it cannot be printed."""
    if class_ is None or not failure.exception_arguments:
        return None
    if printable(failure.message) != failure.message:
        return None  # an error that nobody catches is printed with its cause
    try:
        made = class_(*json.loads(failure.exception_arguments))
        return made if str(made) == failure.message else None
    except Exception:  # the constructor takes other arguments than it has kept
        return None
