"""The plain artifact types of TFX's container components."""

from __future__ import annotations

from trainwright.types.artifact import Artifact


class Dataset(Artifact):
    TYPE_NAME = "Dataset"


class File(Artifact):
    TYPE_NAME = "File"


class Statistics(Artifact):
    TYPE_NAME = "Statistics"


class Metrics(Artifact):
    TYPE_NAME = "Metrics"
