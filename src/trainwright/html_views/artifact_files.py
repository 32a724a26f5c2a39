"""The files of the artifacts that have a page: where they are, and what is in them."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any

from trainwright import _plugins

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import anomalies_pb2, schema_pb2, statistics_pb2

STATISTICS, SCHEMA, ANOMALIES = "ExampleStatistics", "Schema", "ExampleAnomalies"
EVALUATION = "ModelEvaluation"
REWRITE_REPORT = "RewriteReport"
TUNER_RESULTS = "TunerResults"
EXAMPLES_DIFF = "ExamplesDiff"

# The types that have a page, each with its file, or files, as TFX names them.
FILE_NAMES = {
    STATISTICS: "FeatureStats.pb",
    SCHEMA: "schema.pbtxt",
    ANOMALIES: "SchemaDiff.pb",
    EVALUATION: "metrics-*",
    REWRITE_REPORT: "parity.json",
    TUNER_RESULTS: "tuner_results.json",
    EXAMPLES_DIFF: "skew_stats-*-of-*",
}
# Entry points of other packages, by the name of an artifact type: functions from the directory of
# an artifact to the text of its page.
PLUGIN_GROUP = "trainwright.views"

# Files may be in the directories of splits, or of pairs of splits that were compared. Those that
# Transform makes are of all splits together.
_SPLIT_PREFIX, _PAIR_PREFIX = "Split-", "SplitPair-"
_DIRECTORIES = (f"{_SPLIT_PREFIX}*/", f"{_PAIR_PREFIX}*/", "")
_NO_SPLIT = "all"


def find_types(uri: str) -> list[str]:
    """The types whose files are at a path; it may also be one of the files.

    Example: `find_types("output/StatisticsGen/statistics/3")` is `["ExampleStatistics"]`.
    """
    if os.path.isfile(uri):
        name = os.path.basename(uri)
        found = [known for known, pattern in FILE_NAMES.items() if fnmatch(name, pattern)]
        return found or ([SCHEMA] if name.endswith(".pbtxt") else [])
    return [name for name in FILE_NAMES if _find_files(name, uri)]


def has_page(type_name: str) -> bool:
    """Whether artifacts of a type have a page: one of ours, or an installed package's.

    Raises PluginError if several packages offer one.
    """
    return type_name in FILE_NAMES or _plugins.is_offered(PLUGIN_GROUP, type_name)


def page_types() -> list[str]:
    """The names of the types that have a page."""
    return list(dict.fromkeys([*FILE_NAMES, *_plugins.names(PLUGIN_GROUP)]))


def read_statistics(uri: str) -> dict[str, statistics_pb2.DatasetFeatureStatisticsList]:
    """The statistics of each split; raises ValueError if there are none.

    Example: `read_statistics("output/StatisticsGen/statistics/3")["train"].datasets[0]`
    """
    from tensorflow_metadata.proto.v0 import statistics_pb2

    return _read_splits(STATISTICS, uri, statistics_pb2.DatasetFeatureStatisticsList)


def read_anomalies(uri: str) -> dict[str, anomalies_pb2.Anomalies]:
    """The anomalies of each split; raises ValueError if there are no such files.

    Example: `read_anomalies("output/ExampleValidator/anomalies/5")["train"].anomaly_info`
    """
    from tensorflow_metadata.proto.v0 import anomalies_pb2

    return _read_splits(ANOMALIES, uri, anomalies_pb2.Anomalies)


def is_of_pairs(uri: str) -> bool:
    """Whether an artifact, or a file in it, is of pairs of splits that were compared."""
    files = [uri] if os.path.isfile(uri) else _find_files(ANOMALIES, uri)
    return any(_PAIR_PREFIX in os.path.join(uri, file) for file in files[:1])


def read_schema(uri: str) -> schema_pb2.Schema:
    """The schema; raises ValueError if there is none.

    Example: `read_schema("output/SchemaGen/schema/4").feature`
    """
    from google.protobuf import text_format
    from tensorflow_metadata.proto.v0 import schema_pb2

    path = require_files(SCHEMA, uri)[0]
    try:
        with open(path, encoding="utf-8") as file:
            return text_format.Parse(file.read(), schema_pb2.Schema())
    except (text_format.ParseError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not a schema in text form: {error}") from error


def require_files(type_name: str, uri: str) -> Sequence[str]:
    """The files of an artifact with their whole paths; raises ValueError if there are none."""
    if not os.path.exists(uri):
        raise ValueError(f"{type_name} at {uri} is not on this disk.")
    found = _find_files(type_name, uri)
    if not found:
        raise ValueError(
            f"{uri} has no {FILE_NAMES[type_name]}, the file of an artifact of type {type_name}. "
            f"It has {sorted(os.listdir(uri))}."
        )
    return [os.path.join(uri, path) for path in found]


def _read_splits(type_name: str, uri: str, message: type[Any]) -> dict[str, Any]:
    return {
        _split_name(path): _read_message(path, message) for path in require_files(type_name, uri)
    }


def _split_name(path: str) -> str:
    directory = os.path.basename(os.path.dirname(os.path.abspath(path)))
    for prefix in (_SPLIT_PREFIX, _PAIR_PREFIX):
        if directory.startswith(prefix):
            return directory.removeprefix(prefix)
    return _NO_SPLIT


def _read_message(path: str, message: type[Any]) -> Any:
    from google.protobuf.message import DecodeError

    with open(path, "rb") as file:
        data = file.read()
    if not data:
        # It would parse as a message in which nothing was found.
        raise ValueError(
            f"{path} is empty: expected a {message.DESCRIPTOR.name} proto. Let the component run "
            "again."
        )
    try:
        return message.FromString(data)
    except DecodeError as error:
        raise ValueError(
            f"{path} is not a {message.DESCRIPTOR.name} proto ({len(data):,} bytes were read): "
            f"{error}. Perhaps it was not written to its end; let the component run again."
        ) from error


def _find_files(type_name: str, uri: str) -> list[str]:
    if os.path.isfile(uri):
        return [uri]
    patterns = [directory + FILE_NAMES[type_name] for directory in _DIRECTORIES]
    return sorted(path for pattern in patterns for path in glob.glob(pattern, root_dir=uri))
