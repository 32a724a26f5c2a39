"""Components that do nothing, for node_overhead: what a worker imports as a user's module."""

from __future__ import annotations

from trainwright import InputArtifact, OutputArtifact, component
from trainwright.types.standard_artifacts import Model


@component
def Begin(made: OutputArtifact[Model]) -> None:
    """Does nothing."""


@component
def Continue(given: InputArtifact[Model], made: OutputArtifact[Model]) -> None:
    """Does nothing either."""
