"""`CsvExampleGen(input=external_input(path))`: how pipelines before TFX 0.22 name their files."""

from __future__ import annotations

from trainwright._deprecation import deprecated
from trainwright.types.channel import Channel
from trainwright.types.standard_artifacts import ExternalArtifact

_INSTEAD = "Pass the path itself to the ExampleGen: CsvExampleGen(input_base=path)."


@deprecated(None, _INSTEAD)
def external_input(uri: str) -> Channel:
    """A channel that holds the directory."""
    return _external_channel(uri)


@deprecated(None, _INSTEAD)
def csv_input(uri: str) -> Channel:
    """A channel that holds a directory of CSV files."""
    return _external_channel(uri)


@deprecated(None, _INSTEAD)
def tfrecord_input(uri: str) -> Channel:
    """A channel that holds a directory of TFRecord files."""
    return _external_channel(uri)


@deprecated(None, _INSTEAD)
def parquet_input(uri: str) -> Channel:
    """A channel that holds a directory of Parquet files."""
    return _external_channel(uri)


def _external_channel(uri: str) -> Channel:
    directory = ExternalArtifact()
    directory.uri = uri
    return Channel(type=ExternalArtifact, artifacts=[directory])
