"""Notebook detection: IPython is asked whether it runs this process, and never imported."""

from __future__ import annotations

import builtins
import sys
from typing import Any


def is_in_ipython() -> bool:
    """Whether code is typed into IPython, in a terminal or in a notebook."""
    return bool(getattr(builtins, "__IPYTHON__", False))


def is_in_notebook() -> bool:
    """Whether it is in a notebook: IPython has a kernel to talk to."""
    return getattr(_shell(), "kernel", None) is not None


def cell_name(filename: str) -> str | None:
    """What IPython calls the cell whose code has this file name: "Cell In[3]"."""
    compiler = getattr(_shell(), "compile", None)
    found = compiler.format_code_name(filename) if compiler is not None else None
    return None if found is None else " ".join(found)


def _shell() -> Any:
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None
