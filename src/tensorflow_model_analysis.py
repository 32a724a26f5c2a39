"""Names that programs take from TFMA, without it: `import tensorflow_model_analysis as tfma`.

The messages of an `EvalConfig`, evaluations by `run_model_analysis`, readers and views of results.
`trainwright.compat.tfma.names` has the names, and what to use instead of those that are not here.
Where TFMA is installed, it is what this name imports, and not this file.
"""

from __future__ import annotations

from typing import Any

from trainwright._tfma_names import load_instead_of
from trainwright.compat.tfma.names import TFMA

# Whose names and files these are.
__version__ = VERSION_STRING = "0.52.0"

__all__ = [*TFMA.modules[""], "VERSION_STRING"]


def __getattr__(name: str) -> Any:
    value = globals()[name] = TFMA.load("", name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *TFMA.names("")})


if not load_instead_of(__file__):
    __path__: list[str] = []  # a package to the import system: it has submodules
    TFMA.install()
