"""First-party files: the user's own modules that an executor loaded, like a dependency file."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Collection
from pathlib import Path

from trainwright.dsl.remote_files import is_copy
from trainwright.orchestration.planning.file_digests import digest_of

_CHANGED = "changed while the node was running"


def loaded_files(started: float, not_counting: Collection[str] = ()) -> dict[str, str]:
    """The user's own Python files that this process has loaded, with the digest of each.

    Modules named in `not_counting` were there before any code of the user's.

    A file that was changed after the process started may have been loaded before that: its digest
    is replaced by a word that never matches, so that the result is not taken for the new code's.
    """
    files = {}
    for name, module in list(sys.modules.items()):
        if name in not_counting:
            continue
        path = getattr(module, "__file__", None)
        if path and is_copy(path):
            continue  # it is one of the source files, by the address that it was fetched from
        if path and path.endswith(".py") and is_first_party(path):
            files[os.path.abspath(path)] = _digest_of_loaded(path, started)
    return dict(sorted(files.items()))


def is_first_party(path: str) -> bool:
    path = os.path.abspath(path)
    is_library = path.startswith(_LIBRARY_DIRECTORIES) or path in _STAND_INS
    return not is_generated(path) and not is_library


def is_generated(path: str) -> bool:
    """Whether TensorFlow wrote a file, for a function that it traces: its source is elsewhere."""
    return os.path.basename(path).startswith("__autograph_generated_file")


def _digest_of_loaded(path: str, started: float) -> str:
    try:
        if os.stat(path).st_mtime > started:
            return _CHANGED
        return digest_of(path)
    except OSError:
        return _CHANGED


def _library_directories() -> tuple[str, ...]:
    ours = Path(__file__).resolve().parents[2]
    directories = {
        sysconfig.get_path("stdlib"),
        sysconfig.get_path("platstdlib"),
        sysconfig.get_path("purelib"),
        sysconfig.get_path("platlib"),
        *site.getsitepackages(),
        site.getusersitepackages(),
        str(ours),
        str(ours.parent / "tfx"),
    }
    return tuple(directory.rstrip(os.sep) + os.sep for directory in directories if directory)


_LIBRARY_DIRECTORIES = _library_directories()
# Modules of ours that stand for packages which are not installed, beside our own package.
_STAND_INS = frozenset(
    str(Path(__file__).resolve().parents[3] / f"{name}.py")
    for name in ("ml_metadata", "tensorflow_data_validation", "tensorflow_model_analysis")
)
