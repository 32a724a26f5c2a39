"""Lines of the user's own code, in a traceback or behind a tensor."""

from __future__ import annotations

import os
import site
import sysconfig
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

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


def line_of_error(error: BaseException) -> str:
    """The last line of the user's that an error passed through: `" at features.py line 12"`.

    Empty if there is none.
    """
    return _last_line(traceback.extract_tb(error.__traceback__))


def line_of_tensor(tensor: Any) -> str:
    """The line of the user's that made a tensor of a traced graph, in the same words."""
    parts = getattr(tensor, "flat_values", getattr(tensor, "values", tensor))
    operation = getattr(parts, "op", None)
    return line_of_operation(operation) if operation is not None else ""


def line_of_operation(operation: Any) -> str:
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
