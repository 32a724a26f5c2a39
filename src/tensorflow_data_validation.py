"""Names that programs take from TFDV, without it: `import tensorflow_data_validation as tfdv`.

Options, statistics, schemas and anomalies: made, read, written, compared and shown by Trainwright's
own code. `trainwright.compat.tfdv.names` has the names, and what to use instead of those that are
not here. Where TFDV is installed, it is what this name imports.
"""

from __future__ import annotations

from typing import Any

from trainwright._stand_ins import load_real_package
from trainwright.compat.tfdv.names import TFDV

# Whose names and files these are.
__version__ = "1.21.0"

__all__ = [*TFDV.modules[""]]


def __getattr__(name: str) -> Any:
    value = globals()[name] = TFDV.load("", name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if load_real_package(__name__, __file__) is None:
    __path__: list[str] = []  # a package to the import system: it has submodules
    TFDV.install()
