"""`except ValueError` around a run catches what the component raised, as it does in TFX."""

from __future__ import annotations

import builtins
import json
import pickle
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, PipelineRunError, component
from trainwright._printable import printable
from trainwright.orchestration.execution.tracebacks import describe_exception
from trainwright.orchestration.reports.component_errors import run_error
from trainwright.orchestration.run_result import NodeFailure, NodeState, RunResult


class DataError(ValueError):
    """Takes other arguments than it keeps, and shows them in its own way."""

    def __init__(self, column, row):
        super().__init__(f"{column} in row {row}")
        self.column = column
        self.row = {"number": row, "cells": [b"\xff", ("a", None)]}
        self.open_file = sys.stdin
        self.result = "not ours"
        self.text = "x" * 100_000


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
                exception_attributes=described["attributes"],
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
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no"), UnicodeDecodeError, True),
        (subprocess.CalledProcessError(3, "make"), subprocess.CalledProcessError, True),
        (DataError("age", 7), DataError, True),
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


def json_error(text: str) -> json.JSONDecodeError:
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(text)
    return caught.value


@pytest.mark.parametrize(
    ("raised", "attributes"),
    [
        (
            FileNotFoundError(2, "No such file", "in", None, "out"),
            {"errno": 2, "strerror": "No such file", "filename": "in", "filename2": "out"},
        ),
        (PermissionError(13, "no", Path("a/b")), {"errno": 13, "filename": Path("a/b")}),
        (OSError(5, "no", "\x1b]0;title\x07"), {"filename": "\x1b]0;title\x07"}),
        (KeyError("user"), {"args": ("user",)}),
        (ValueError("a", (1, [2.5]), b"\xff"), {"args": ("a", (1, [2.5]), b"\xff")}),
        (ModuleNotFoundError("no wheel", name="wheel", path="/x"), {"name": "wheel", "path": "/x"}),
        (
            UnicodeDecodeError("utf-8", b"a\xff", 1, 2, "bad"),
            {"encoding": "utf-8", "object": b"a\xff", "start": 1, "end": 2, "reason": "bad"},
        ),
        (UnicodeEncodeError("ascii", "\xe4", 0, 1, "bad"), {"object": "\xe4", "end": 1}),
        (json_error("[1,\n x]"), {"pos": 5, "lineno": 2, "colno": 2, "doc": "[1,\n x]"}),
        (
            subprocess.CalledProcessError(returncode=3, cmd=["make", "all"], output=b"\xff"),
            {"returncode": 3, "cmd": ["make", "all"], "stdout": b"\xff", "stderr": None},
        ),
        (subprocess.TimeoutExpired("make", 1.5), {"cmd": "make", "timeout": 1.5}),
        (
            DataError("age", 7),
            {"column": "age", "row": {"number": 7, "cells": [b"\xff", ("a", None)]}},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_caught_has_the_plain_values_of_the_exception(raised, attributes):
    error = error_of(raised)
    for one in (error, error.__cause__, pickle.loads(pickle.dumps(error))):
        assert isinstance(one, type(raised))
        assert {name: getattr(one, name) for name in attributes} == attributes
    assert type(error.__cause__) is type(raised)
    assert str(error).startswith("Pipeline run r failed.")
    assert isinstance(error.result, RunResult)
    shown = "".join(traceback.format_exception(error))
    assert printable(shown) == shown


def test_what_is_large_or_not_plain_is_left_out():
    error = error_of(DataError("age", 7))
    assert not hasattr(error, "open_file")
    assert not hasattr(error, "text")
    nested = ValueError("deep")
    nested.itself = nested.wide = []
    for _ in range(100):
        nested.wide = [nested.wide, nested.wide]
    nested.itself.append(nested.itself)
    nested.number = 10**10_000
    nested.good = 1
    for number in range(50):
        setattr(nested, f"part{number}", '"' * 5_000)
    assert len(describe_exception(nested)["attributes"]) < 50_000
    error = error_of(nested)
    assert error.good == 1
    assert not any(hasattr(error, name) for name in ("itself", "wide"))
    large = error_of(UnicodeDecodeError("utf-8", b"\xff" * 1_000_000, 3, 4, "bad"))
    assert (large.encoding, large.start, large.reason) == ("utf-8", 3, "bad")
    assert large.__cause__ is None


def test_an_uncaught_error_is_printed_as_the_summary():
    """Python prints some types by their attributes, or adds suggestions from this process."""
    with pytest.raises(SyntaxError) as of_syntax:
        compile("a b \x1b[2J", "there.py", "exec")
    name = NameError("name 'tracebac' is not defined", name="tracebac")
    attribute = AttributeError("no attribute '__clas__'", name="__clas__", obj=3)
    for raised in (of_syntax.value, name, attribute):
        error = error_of(raised)
        try:
            raise error
        except type(raised) as caught:
            shown = "".join(traceback.format_exception(caught))
        assert shown.endswith(f"PipelineRunError: {error}\n")
        assert printable(shown) == shown
        assert "Did you mean" not in shown


def test_user_code_catches_its_own_exception_around_a_run(tmp_path):
    class Picky(ValueError):
        pass

    @component
    def check(value: Parameter[int]) -> OutputDict(out=int):
        if value > 1:
            raise KeyError("too large")
        error = Picky(f"{value} is too small")
        error.code = 42
        raise error

    runner = LocalDagRunner(observer=lambda event: None)
    with pytest.raises(ValueError, match="check failed with Picky: 1 is too small") as picky:
        runner.run(Pipeline("p", str(tmp_path), components=[check(value=1)]))
    assert picky.value.code == 42
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
