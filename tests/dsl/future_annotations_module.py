"""Components in a module whose annotations are strings."""

from __future__ import annotations

from typing import TypedDict

from trainwright import InputArtifact, OutputArtifact, OutputDict, Parameter, component
from trainwright.types.standard_artifacts import Examples, Model


class Measured(TypedDict):
    loss: float
    note: str | None


@component
def train(
    examples: InputArtifact[Examples],
    model: OutputArtifact[Model],
    base: InputArtifact[list[Model]] = None,
    rate: float | None = None,
    steps: Parameter[int] = 10,
    names: Parameter[list[str]] = None,
) -> OutputDict(loss=float, done=int):
    return {"loss": 0.5, "done": steps}


@component
def measure(rate: float) -> Measured:
    return {"loss": rate, "note": None}


@component
def nothing(steps: Parameter[int]) -> None:
    pass
