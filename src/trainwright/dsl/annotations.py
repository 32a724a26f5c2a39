"""The words for the arguments and results of an `@component` function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    # To a type checker an argument is what the function body sees.
    InputArtifact = Annotated[T, "input"]
    OutputArtifact = Annotated[T, "output"]
    Parameter = Annotated[T, "parameter"]
else:

    class InputArtifact(Generic[T]):
        """An artifact that the function reads: `examples: InputArtifact[Examples]`.

        `InputArtifact[list[Examples]]` gets all the artifacts of the channel.
        """

    class OutputArtifact(Generic[T]):
        """An artifact that the function fills: `model: OutputArtifact[Model]`."""

    class Parameter(Generic[T]):
        """A value: `steps: Parameter[int] = 100`; T is int, float, str, bool, list or dict."""


class OutputDict:
    """The values that a function returns, by name: `-> OutputDict(loss=float, steps=int)`."""

    def __init__(self, **types: Any) -> None:
        self.types = types
