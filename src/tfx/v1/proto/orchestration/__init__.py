"""Messages about pipeline runs. `RunState` is imported when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainwright.proto import orchestration as _orchestration

__all__ = ["RunState"]

if TYPE_CHECKING:
    from trainwright.proto.orchestration import RunState
else:  # hidden from type checkers, so that they still report a misspelt name

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(_orchestration, name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
