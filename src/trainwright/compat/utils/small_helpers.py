"""One-line helpers of `tfx.utils`. Those for services inside Google do nothing, as in TFX."""

from __future__ import annotations

import abc
import datetime
import logging
from typing import TYPE_CHECKING, Any

from google.protobuf.message import Message

from trainwright.dsl.io import io_utils
from trainwright.types.artifact import Artifact
from trainwright.types.artifact_version import (
    _ARTIFACT_VERSION_FOR_MODEL_UPDATE,
    is_artifact_version_older_than,
)
from trainwright.types.standard_artifacts import Model

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import anomalies_pb2

no_op_metrics = None

_log = logging.getLogger(__name__)


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


def is_old_model_artifact(model_artifact: Artifact) -> bool:
    """Whether a model was written by TFX before 0.29, whose directories have other names."""
    if not isinstance(model_artifact, Model):
        _log.warning("Artifact type is not Model: %s.", model_artifact.type)
    return is_artifact_version_older_than(model_artifact, _ARTIFACT_VERSION_FOR_MODEL_UPDATE)


def write_anomalies(filepath: str, anomalies: anomalies_pb2.Anomalies) -> None:
    """Writes anomalies as a binary message, making the file's directory."""
    io_utils.write_bytes_file(filepath, anomalies.SerializeToString())


def write_tfrecord_file(file_name: str, *proto: Message) -> None:
    """Writes messages as the records of a TFRecord file, making its directory."""
    from trainwright.data.tfrecord_frames import frame

    io_utils.write_bytes_file(file_name, frame([message.SerializeToString() for message in proto]))
