"""Going on after a crash: the files of an attempt that failed are taken over by the next one.

Estimators go on by themselves from the checkpoint that is in their directory. A checkpoint that was
damaged meanwhile would fail every attempt from then on, so each is read before it is relied on.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

# A directory that something is still writing, or whose writer was killed: an exporter, a
# RewritingExporter, or the taking over itself.
UNFINISHED = re.compile(r"te?mp-")

# The file in which a directory has the names of its checkpoints.
_CHECKPOINTS = "checkpoint"

_logger = logging.getLogger(__name__)


def continue_from(earlier_runs: Sequence[str], model_run_dir: str) -> bool:
    """Takes over the files of the latest attempt that has left a whole checkpoint.

    Args:
        earlier_runs: The directories of failed attempts, the latest first.
        model_run_dir: That of this one.
    """
    for earlier in earlier_runs:
        checkpoints = _whole_checkpoints(earlier)
        if checkpoints:
            _logger.info("Training goes on from %s of an earlier attempt.", checkpoints[-1])
            _take_over(earlier, model_run_dir, checkpoints)
            return True
    return False


def advice_to_begin_anew(earlier_runs: Sequence[str], model_run_dir: str) -> str:
    """What to remove: what was taken over lies in the directory of this attempt as well."""
    return (
        "This training had gone on from a checkpoint of an earlier attempt. To begin anew, remove "
        f"{' and '.join((model_run_dir, *earlier_runs))}."
    )


def _whole_checkpoints(directory: str) -> list[str]:
    """The checkpoints of an Estimator up to the last one that can be read; none if none can."""
    for below in _directories_of_checkpoints(directory):
        checkpoints = _listed_checkpoints(below)
        while checkpoints:
            damage = _why_unreadable(checkpoints[-1])
            if damage is None:
                return checkpoints
            _logger.warning(
                "%s of an earlier attempt cannot be read (%s): the one before it is looked at.",
                checkpoints.pop(),
                damage,
            )
    return []


def _directories_of_checkpoints(directory: str) -> Iterator[str]:
    for below, directories, files in os.walk(directory):
        directories[:] = [name for name in directories if not UNFINISHED.match(name)]
        if _CHECKPOINTS in files:
            yield below


def _listed_checkpoints(directory: str) -> list[str]:
    """The checkpoints of a directory, the latest last; those that lie elsewhere are left out."""
    import tensorflow as tf

    state: Any = None
    with contextlib.suppress(ValueError):  # the file is not text
        state = tf.train.get_checkpoint_state(directory)
    if state is None:
        return []
    latest = state.model_checkpoint_path
    listed = [path for path in state.all_model_checkpoint_paths if path != latest]
    names = [os.path.basename(path) for path in (*listed, latest)]
    paths = [os.path.join(directory, name) for name in names]
    return [path for path in paths if os.path.exists(f"{path}.index")]


def _why_unreadable(checkpoint: str) -> str | None:
    """Reads a checkpoint to its end, by which TensorFlow compares the checksums."""
    import tensorflow as tf

    try:
        reader = tf.train.load_checkpoint(checkpoint)
        for name in reader.get_variable_to_shape_map():
            reader.get_tensor(name)
    except Exception as error:  # of many classes, IndexError among them
        return str(error).partition("\n")[0]
    return None


def _take_over(earlier: str, model_run_dir: str, checkpoints: Sequence[str]) -> None:
    """Copies the files of a run, so that a kill leaves all that names a checkpoint or nothing."""
    unfinished = tempfile.mkdtemp(prefix="temp-", dir=model_run_dir)
    # Links are copied as links: they may lead to anything, or nowhere.
    shutil.copytree(
        earlier,
        unfinished,
        symlinks=True,
        copy_function=_link_or_copy,
        ignore=_names_to_leave,
        dirs_exist_ok=True,
    )
    directory = os.path.relpath(os.path.dirname(checkpoints[-1]), earlier)
    _list_checkpoints(os.path.join(unfinished, directory), checkpoints)
    # The file that names the checkpoints comes last.
    for name in sorted(os.listdir(unfinished), key=lambda name: name == _CHECKPOINTS):
        os.rename(os.path.join(unfinished, name), os.path.join(model_run_dir, name))
    os.rmdir(unfinished)


def _list_checkpoints(directory: str, checkpoints: Sequence[str]) -> None:
    """Names the checkpoints to go on from: by their place here, and no damaged ones."""
    import tensorflow as tf
    from google.protobuf import text_format

    names = [os.path.basename(path) for path in checkpoints]
    state = tf.compat.v1.train.generate_checkpoint_state_proto("", names[-1], names)
    with open(os.path.join(directory, _CHECKPOINTS), "w", encoding="utf-8") as file:
        file.write(text_format.MessageToString(state))


def _names_to_leave(directory: str, names: list[str]) -> list[str]:
    """What is unfinished, and what cannot be copied: pipes, sockets, devices."""
    paths = {name: os.path.join(directory, name) for name in names}
    return [
        name
        for name, path in paths.items()
        if UNFINISHED.match(name)
        or not (os.path.islink(path) or os.path.isdir(path) or os.path.isfile(path))
    ]


def _link_or_copy(source: str, target: str) -> None:
    """Checkpoints, which may be large and are never written to again, are linked."""
    if ".ckpt-" in os.path.basename(source):
        with contextlib.suppress(OSError):  # no links here, or another file system
            os.link(source, target)
            return
    shutil.copy2(source, target)
