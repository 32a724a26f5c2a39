"""Reading the statistics of a split from their file."""

from __future__ import annotations

import os

from google.protobuf.message import DecodeError
from tensorflow_metadata.proto.v0 import statistics_pb2

STATISTICS_FILE_NAME = "FeatureStats.pb"


def read_statistics(path: str) -> statistics_pb2.DatasetFeatureStatisticsList:
    """Statistics from a binary file, or from the directory that holds it.

    Example: `read_statistics("StatisticsGen/statistics/3/Split-train")`
    """
    file_path = os.path.join(path, STATISTICS_FILE_NAME) if os.path.isdir(path) else path
    if not os.path.isfile(file_path):
        raise ValueError(
            f"There are no statistics at {path!r}: expected a {STATISTICS_FILE_NAME}, or the "
            "directory of a split that holds one."
        )
    with open(file_path, "rb") as file:
        content = file.read()
    try:
        statistics = statistics_pb2.DatasetFeatureStatisticsList.FromString(content)
    except DecodeError as error:
        raise ValueError(
            f"{file_path!r} holds no statistics: expected a binary DatasetFeatureStatisticsList."
        ) from error
    if not statistics.datasets:
        raise ValueError(f"{file_path!r} holds the statistics of no dataset.")
    return statistics
