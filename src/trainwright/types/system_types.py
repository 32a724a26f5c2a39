"""The base types that artifact and execution types are annotated with.

They are recorded beside a type's name, so that a tool that does not know `Examples` can still see
that it is a dataset.
"""

from __future__ import annotations

from typing import ClassVar


class SystemArtifact:
    """Base of the artifact annotations."""

    # The number of the base type in ML Metadata's messages.
    MLMD_SYSTEM_BASE_TYPE: ClassVar[int | None] = None


class Dataset(SystemArtifact):
    """Data: examples."""

    MLMD_SYSTEM_BASE_TYPE = 1


class Model(SystemArtifact):
    """A model, trained or pushed."""

    MLMD_SYSTEM_BASE_TYPE = 2


class Metrics(SystemArtifact):
    """What an evaluation measured."""

    MLMD_SYSTEM_BASE_TYPE = 3


class Statistics(SystemArtifact):
    """What is known of data."""

    MLMD_SYSTEM_BASE_TYPE = 4


class SystemExecution:
    """Base of the execution annotations."""

    MLMD_SYSTEM_BASE_TYPE: ClassVar[int | None] = None


class Train(SystemExecution):
    """Makes a model."""

    MLMD_SYSTEM_BASE_TYPE = 1


class Transform(SystemExecution):
    """Makes data from data."""

    MLMD_SYSTEM_BASE_TYPE = 2


class Process(SystemExecution):
    """Works on data without changing it."""

    MLMD_SYSTEM_BASE_TYPE = 3


class Evaluate(SystemExecution):
    """Judges a model."""

    MLMD_SYSTEM_BASE_TYPE = 4


class Deploy(SystemExecution):
    """Puts a model where it is served."""

    MLMD_SYSTEM_BASE_TYPE = 5
