"""Messages about pipeline runs. `RunState` is imported when it is first used."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tfx._names import refusal
from trainwright.proto import orchestration as _orchestration

__all__ = ["RunState"]

if TYPE_CHECKING:
    from trainwright.proto.orchestration import RunState
else:  # hidden from type checkers, so that they still report a misspelt name

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise refusal(__name__, name, sys._getframe(1), known=__all__)
        value = getattr(_orchestration, name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
