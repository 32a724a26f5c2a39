"""The layout of a pipeline's files below its root, as in TFX."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
from collections.abc import Iterable

from trainwright._paths import is_remote
from trainwright.orchestration.publishing import places
from trainwright.storage.local_copies import default_copies
from trainwright.types.artifact import Artifact
from trainwright.types.value_artifact import VALUE_FILE, ValueArtifact

# An execution, with a number behind it if the plain name was another store's: see `choose_leaf`.
_LEAF = re.compile(r"([0-9]+)(?:\.[1-9][0-9]*)?")


def choose_leaf(root: str, node_id: str, keys: Iterable[str], execution_id: int) -> str:
    """The name that the directories of an execution get, its own and those of its outputs.

    It is the execution's number. A directory that is there already is another store's, whose
    executions have the same numbers (the old one was moved or deleted): it is left alone, and this
    execution gets the next free name.
    """
    above = [os.path.join(root, *execution_steps(node_id))]
    if not is_remote(root):  # where the claim, which comes first, is one step
        above += [os.path.join(root, node_id, key) for key in keys]
    suffixes = itertools.chain([""], map(".{}".format, itertools.count(1)))
    leaves = (f"{execution_id}{suffix}" for suffix in suffixes)
    return next(
        leaf
        for leaf in leaves
        if not any(places.exists(os.path.join(directory, leaf)) for directory in above)
    )


def numbered(leaf: str) -> int | None:
    """The number of the execution that has directories of this name; None if none can have."""
    found = _LEAF.fullmatch(leaf)
    return int(found[1]) if found is not None and str(int(found[1])) == found[1] else None


def output_uri(root: str, node_id: str, key: str, leaf: str, artifact_type: type[Artifact]) -> str:
    """`<root>/<node>/<key>/<execution>`; a value artifact is the file `value` in there."""
    directory = os.path.join(root, node_id, key, leaf)
    is_value = issubclass(artifact_type, ValueArtifact)
    return os.path.join(directory, VALUE_FILE) if is_value else directory


def make_output_directory(uri: str) -> None:
    """Makes the directory of an output; raises FileExistsError if somebody else just has."""
    os.makedirs(output_directory(uri))


def output_directory(uri: str) -> str:
    """The directory that belongs to one output alone; a value's is that of its file."""
    return os.path.dirname(uri) if os.path.basename(uri) == VALUE_FILE else uri


def execution_directory(root: str, node_id: str, leaf: str) -> str:
    """Where the executor's log, its result and its temporary files are."""
    return os.path.join(root, *execution_steps(node_id), leaf)


def execution_steps(node_id: str) -> tuple[str, str, str]:
    """The steps from the root to the directories of a node's executions."""
    return node_id, ".system", "executor_execution"


def execution_of(root: str, directory: str) -> tuple[str, int] | None:
    """The node and the execution that a directory below the root is of; None if it is not one.

    >>> execution_of("s3://bucket/root", "s3://bucket/root/Trainer/.system/executor_execution/7.1")
    ('Trainer', 7)
    """
    above, _, leaf = directory.rpartition("/")
    node_id = above[len(root.rstrip("/")) + 1 :].partition("/")[0]
    number = numbered(leaf)
    is_one = number is not None and execution_directory(root, node_id, leaf) == directory
    return (node_id, number) if is_one and number is not None else None


def work_directory(directory: str) -> str:
    """Where the processes of an execution write: its own directory, or, where that is a prefix of
    an object store, one on the disk of the machine that they run on.

    It follows from the place alone, so that all processes of a machine agree on it.
    """
    if not is_remote(directory):
        return directory
    digest = hashlib.sha256(directory.encode()).hexdigest()[:24]
    return os.path.join(work_home(), f"{digest}-{os.path.basename(directory)}")


def work_home() -> str:
    """The directory of this user on this machine that all work directories are in."""
    return os.path.join(default_copies().directory, "work")


def work_path(path: str) -> str:
    """Where the processes of this machine write what lies at a path right in the directory of an
    execution, or of a run."""
    return os.path.join(work_directory(os.path.dirname(path)), os.path.basename(path))


def log_path(directory: str, rank: int = 0) -> str:
    """The log of a process in the directory of an execution."""
    return os.path.join(directory, f"executor-{rank}.log" if rank else "executor.log")


def result_path(directory: str, rank: int = 0) -> str:
    """The result in the directory of an execution, or what says that another rank is done."""
    return os.path.join(directory, f"result.json.{rank}" if rank else "result.json")


def find_pages(directory: str) -> list[str]:
    """The HTML pages of an execution's outputs, which lie beside its log."""
    names = places.names_in(directory)
    return [os.path.join(directory, name) for name in names if name.endswith(".html")]


def state_directory(directory: str) -> str:
    """The state that the executor keeps for the next attempt, in the directory of an execution."""
    return os.path.join(directory, "state")


def temporary_directory(directory: str) -> str:
    """The executor's temporary files in the directory of an execution."""
    return os.path.join(directory, ".temp")
