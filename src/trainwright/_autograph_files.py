"""The files of TensorFlow's autograph in a directory that is removed with the node.

Autograph writes each function that it converts as a module into the temporary directory. It removes
the source when the interpreter ends, if it ends in order, and never what Python compiled of it.
"""

from __future__ import annotations

import os
import tempfile
from types import ModuleType, SimpleNamespace
from typing import Any

from trainwright._after_import import after_import

# How the processes that a node starts to pass over data know the directory.
AUTOGRAPH_DIRECTORY = "TRAINWRIGHT_AUTOGRAPH_DIRECTORY"
_LOADER = "tensorflow.python.autograph.pyct.loader"


def keep_autograph_files_in(directory: str) -> None:
    """For this process and those that an engine starts; the directory is made when needed."""
    os.environ[AUTOGRAPH_DIRECTORY] = directory
    keep_autograph_files_of_node()


def keep_autograph_files_of_node() -> None:
    """The same in a process that was started by one in which a directory was named."""
    if os.environ.get(AUTOGRAPH_DIRECTORY):
        after_import(_LOADER, _redirect)


def _redirect(loader: ModuleType) -> None:
    def named_temporary_file(*arguments: Any, **options: Any) -> Any:
        os.makedirs(os.environ[AUTOGRAPH_DIRECTORY], exist_ok=True)
        options.setdefault("dir", os.environ[AUTOGRAPH_DIRECTORY])
        return tempfile.NamedTemporaryFile(*arguments, **options)

    # The module that `tempfile` is for the loader alone.
    everything = {**vars(tempfile), "NamedTemporaryFile": named_temporary_file}
    loader.tempfile = SimpleNamespace(**everything)  # type: ignore[attr-defined]
