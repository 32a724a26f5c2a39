"""Where a pipeline's files lie below its root, as TFX lays them out."""

from __future__ import annotations

import glob
import itertools
import os

from trainwright.types.artifact import Artifact
from trainwright.types.value_artifact import VALUE_FILE, ValueArtifact


def choose_output_uri(
    root: str, node_id: str, key: str, execution_id: int, artifact_type: type[Artifact]
) -> str:
    """`<root>/<node>/<key>/<execution>`; a value artifact is the file `value` in there.

    A directory that is there already is another store's, whose executions have the same numbers
    (the old one was moved or deleted): it is left alone, and this one gets the next free name.
    """
    plain = os.path.join(root, node_id, key, str(execution_id))
    suffixes = itertools.chain([""], map(".{}".format, itertools.count(1)))
    directory = next(plain + suffix for suffix in suffixes if not os.path.lexists(plain + suffix))
    is_value = issubclass(artifact_type, ValueArtifact)
    return os.path.join(directory, VALUE_FILE) if is_value else directory


def make_output_directory(uri: str) -> None:
    """Makes the directory of an output; raises FileExistsError if somebody else just has."""
    os.makedirs(output_directory(uri))


def output_directory(uri: str) -> str:
    """The directory that belongs to one output alone; a value's is that of its file."""
    return os.path.dirname(uri) if os.path.basename(uri) == VALUE_FILE else uri


def execution_directory(root: str, node_id: str, execution_id: int) -> str:
    """Where the executor's log, its result and its temporary files are."""
    return os.path.join(root, *execution_steps(node_id), str(execution_id))


def execution_steps(node_id: str) -> tuple[str, str, str]:
    """The steps from the root to the directories of a node's executions."""
    return node_id, ".system", "executor_execution"


def log_path(root: str, node_id: str, execution_id: int) -> str:
    return os.path.join(execution_directory(root, node_id, execution_id), "executor.log")


def result_path(root: str, node_id: str, execution_id: int) -> str:
    return result_path_in(execution_directory(root, node_id, execution_id))


def result_path_in(directory: str) -> str:
    """The result in the directory of an execution."""
    return os.path.join(directory, "result.json")


def find_pages(root: str, node_id: str, execution_id: int) -> list[str]:
    """The HTML pages of an execution's outputs, which lie beside its log."""
    directory = glob.escape(execution_directory(root, node_id, execution_id))
    return sorted(glob.glob(os.path.join(directory, "*.html")))


def temporary_directory(root: str, node_id: str, execution_id: int) -> str:
    return temporary_directory_in(execution_directory(root, node_id, execution_id))


def temporary_directory_in(directory: str) -> str:
    """The executor's temporary files in the directory of an execution."""
    return os.path.join(directory, ".temp")
