"""One-line helpers of `tfx.utils`. Those for services inside Google do nothing, as in TFX."""

from __future__ import annotations

import abc
import datetime
from typing import TYPE_CHECKING, Any

from google.protobuf.message import Message

from trainwright.dsl.io import io_utils
from trainwright.types.artifact import Artifact

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import anomalies_pb2

no_op_metrics = None


def abstract_property() -> Any:
    """A name that subclasses of an abstract class must set: `NAME = abstract_property()`."""
    return abc.abstractmethod(lambda: None)


def get_source_path(path: str) -> str:
    """The path of a golden file in the source tree: the path itself."""
    return path


def is_expired(artifact: Artifact, now: datetime.datetime | None = None) -> bool:
    """Whether an artifact may no longer be used. Nothing here sets such a term."""
    del artifact, now
    return False


def generate_monitoring_metrics(
    unused_test_stats_split: Any,
    unused_baseline_stats_split: Any,
    unused_split_pair: Any,
    unused_span: Any,
    unused_artifact: Any,
) -> None:
    """Sends nothing anywhere."""


def write_anomalies(filepath: str, anomalies: anomalies_pb2.Anomalies) -> None:
    """Writes anomalies as a binary message, making the file's directory."""
    io_utils.write_bytes_file(filepath, anomalies.SerializeToString())


def write_tfrecord_file(file_name: str, *proto: Message) -> None:
    """Writes messages as the records of a TFRecord file, making its directory."""
    from trainwright.data.tfrecord_frames import frame

    io_utils.write_bytes_file(file_name, frame([message.SerializeToString() for message in proto]))
