"""The output of components that validate data: its files, and the properties that sum them up."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import anomalies_pb2

# TFX's names: the file of a split, and the property that says by split whether all is well.
DEFAULT_FILE_NAME = "SchemaDiff.pb"
ARTIFACT_PROPERTY_BLESSED_KEY = "blessed"
BLESSED_VALUE, NOT_BLESSED_VALUE = 1, 0


def write_anomalies(directory: str, anomalies: anomalies_pb2.Anomalies) -> None:
    """Writes the file of a split, or of a pair of them."""
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, DEFAULT_FILE_NAME), "wb") as file:
        # Maps are written in order, so that equal anomalies are equal files.
        file.write(anomalies.SerializeToString(deterministic=True))
