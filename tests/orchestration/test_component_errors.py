"""`except ValueError` around a run catches what the component raised, as it does in TFX."""

from __future__ import annotations

import builtins
import pickle
import subprocess
import sys

import pytest

from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, PipelineRunError, component
from trainwright.orchestration.component_errors import run_error
from trainwright.orchestration.run_result import NodeFailure, NodeState, RunResult
from trainwright.orchestration.tracebacks import describe_exception


class DataError(ValueError):
    """Takes other arguments than it keeps, and shows them in its own way."""

    def __init__(self, column, row):
        super().__init__(f"{column} in row {row}")
        self.column = column


class RequiresArguments(RuntimeError):
    def __new__(cls, first, second):
        return super().__new__(cls, first, second)


class Hidden(OSError):
    args = None


def error_of(raised: BaseException) -> PipelineRunError:
    """What a run raises whose first node raised this, and whose second one something else."""
    failures = []
    for exception in (raised, TypeError("another")):
        described = describe_exception(exception)
        failures.append(
            NodeFailure(
                node_id="n",
                error_type=described["type"],
                message=described["message"],
                exception_classes=described["classes"],
                exception_arguments=described["arguments"],
            )
        )
    states = {"n": NodeState.FAILED}
    return run_error(RunResult(run_id="r", states=states, failures=tuple(failures)))


PLAIN_EXCEPTIONS = sorted(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type)
    and issubclass(value, Exception)
    and not issubclass(value, (StopIteration, StopAsyncIteration, UnicodeError))
    and "Group" not in name
)


@pytest.mark.parametrize("name", PLAIN_EXCEPTIONS)
def test_every_exception_of_python_is_caught_as_itself(name):
    class_ = getattr(builtins, name)
    error = error_of(class_("bad number"))
    assert isinstance(error, class_)
    assert isinstance(error, PipelineRunError)
    assert not isinstance(error, TypeError) or name == "TypeError"
    assert str(error).startswith("Pipeline run r failed.\n\nn failed with ")
    assert "bad number" in str(error)
    assert repr(error).startswith("PipelineRunError(")
    assert type(error.__cause__) is class_
    assert error.__cause__.args == ("bad number",)
    copy = pickle.loads(pickle.dumps(error))
    assert isinstance(copy, class_)
    assert copy.result == error.result


@pytest.mark.parametrize(
    ("raised", "caught_as", "has_cause"),
    [
        (OSError(28, "No space left on device"), OSError, True),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no"), UnicodeDecodeError, False),
        (subprocess.CalledProcessError(3, "make"), subprocess.CalledProcessError, True),
        (DataError("age", 7), DataError, False),
        (RequiresArguments("a", "b"), RuntimeError, True),
        (Hidden("gone"), Hidden, True),
        (type("Unknown", (KeyError,), {"__module__": "nowhere"})("k"), KeyError, False),
        (error_of(ValueError("of a run in a node")), ValueError, False),
        (ValueError("\x1b]0;title\x07"), ValueError, False),
        (StopIteration(), PipelineRunError, True),
        (SystemExit(3), PipelineRunError, False),
        (KeyboardInterrupt(), PipelineRunError, False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_other_exceptions_are_caught_as_the_nearest_type_that_is_known(
    raised, caught_as, has_cause
):
    error = error_of(raised)
    assert isinstance(error, caught_as)
    assert isinstance(error, PipelineRunError)
    assert not isinstance(error, (StopIteration, SystemExit, KeyboardInterrupt))
    assert (error.__cause__ is not None) == has_cause
    assert str(error).startswith("Pipeline run r failed.")


def test_user_code_catches_its_own_exception_around_a_run(tmp_path):
    class Picky(ValueError):
        pass

    @component
    def check(value: Parameter[int]) -> OutputDict(out=int):
        if value > 1:
            raise KeyError("too large")
        raise Picky(f"{value} is too small")

    runner = LocalDagRunner(observer=lambda event: None)
    with pytest.raises(ValueError, match="check failed with Picky: 1 is too small"):
        runner.run(Pipeline("p", str(tmp_path), components=[check(value=1)]))
    with pytest.raises(KeyError) as caught:
        runner.run(Pipeline("p", str(tmp_path), components=[check(value=2)]))
    assert caught.value.__cause__.args == ("too large",)
    assert caught.value.result.failures[0].error_type == "KeyError"


def test_no_module_is_imported_to_find_a_type():
    sys.modules.pop("wave", None)
    failure = NodeFailure(
        node_id="n",
        error_type="Odd",
        message="odd",
        exception_classes="wave:Error nothing :: x: builtins:int os:path builtins:LookupError",
        exception_arguments="{not json",
    )
    error = run_error(RunResult(run_id="r", states={}, failures=(failure,)))
    assert isinstance(error, LookupError)
    assert "wave" not in sys.modules
