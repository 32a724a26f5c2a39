"""The base types that artifact and execution types are annotated with.

They are recorded beside a type's name, so that a tool that does not know `Examples` can still see
that it is a dataset.
"""

from __future__ import annotations


class SystemArtifact:
    """Base of the artifact annotations."""


class Dataset(SystemArtifact):
    """Data: examples."""


class Model(SystemArtifact):
    """A model, trained or pushed."""


class Metrics(SystemArtifact):
    """What an evaluation measured."""


class Statistics(SystemArtifact):
    """What is known of data."""


class SystemExecution:
    """Base of the execution annotations."""


class Train(SystemExecution):
    """Makes a model."""


class Transform(SystemExecution):
    """Makes data from data."""


class Process(SystemExecution):
    """Works on data without changing it."""


class Evaluate(SystemExecution):
    """Judges a model."""


class Deploy(SystemExecution):
    """Puts a model where it is served."""
