"""Pushes a model: copies it aside, then renames it into place."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Sequence
from typing import Any

from trainwright._paths import check_not_special
from trainwright.components.pusher.remote_versions import push_to_store
from trainwright.components.pusher.versions import directory_aside, rename_to_next_version
from trainwright.dsl.base_executor import SUMMARY_KEY, ArtifactDict, BaseExecutor
from trainwright.dsl.remote_files import check_source_path
from trainwright.proto import proto_json, pusher_pb2
from trainwright.storage.uris import is_supported
from trainwright.types import model_paths
from trainwright.types.artifact import Artifact

_logger = logging.getLogger(__name__)


class Executor(BaseExecutor):
    """Pushes to a directory. Subclasses can use `CheckBlessing` and `GetModelPath`, as in TFX."""

    # Said in the summary of a run, since the node is complete all the same.
    _why_not_pushed = ""

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        pushed_model = output_dict["pushed_model"][0]
        if not self.CheckBlessing(input_dict):
            self._MarkNotPushed(pushed_model)
            return
        source = self.GetModelPath(input_dict)
        destination = _parse(exec_properties["push_destination"])
        pushed = push_directory(source, destination.filesystem.base_directory)
        _logger.info("Model pushed to %s", pushed)
        copy_model(source, pushed_model.uri)
        self._MarkPushed(pushed_model, pushed, os.path.basename(pushed))

    def CheckBlessing(self, input_dict: ArtifactDict) -> bool:
        """Whether every blessing that is wired says yes; none wired counts as yes."""
        wired = [key for key in ("model_blessing", "infra_blessing") if input_dict.get(key)]
        if not wired:
            _logger.warning("Pusher is going to push the model without validation.")
        for key in wired:
            if key == "model_blessing":
                check_blessed_model(input_dict[key][0], input_dict.get("model", []))
            if input_dict[key][0].get_int_custom_property("blessed") != 1:
                self._why_not_pushed = f"not pushed: {key} does not bless the model"
                _logger.info("%s", self._why_not_pushed)
                return False
        return True

    def GetModelPath(self, input_dict: ArtifactDict) -> str:
        """The model to push, which must be there."""
        if input_dict.get("model"):
            artifact = input_dict["model"][0].uri
            path = model_paths.serving_model_path(artifact)
        else:
            if not input_dict.get("infra_blessing"):
                raise RuntimeError(
                    "Pusher has no model input. Wire model=trainer.outputs['model']."
                )
            blessing = input_dict["infra_blessing"][0]
            if not blessing.get_int_custom_property("has_model"):
                raise RuntimeError(
                    "InfraBlessing does not contain a model. Check request_spec.make_warmup is "
                    "set to True, or wire model=trainer.outputs['model']."
                )
            artifact = blessing.uri
            path = model_paths.stamped_model_path(artifact)
        if not os.path.isdir(path) or not os.listdir(path):
            raise FileNotFoundError(f"There is no model to push at {path}.")
        if not _is_within(os.path.realpath(path), os.path.realpath(artifact)):
            raise ValueError(
                f"A model cannot be pushed: {path!r} is a link that leads out of its artifact, to "
                f"{os.path.realpath(path)!r}. Save the model in the artifact."
            )
        return path

    def _MarkPushed(
        self,
        model_push: Artifact,
        pushed_destination: str,
        pushed_version: str | None = None,
    ) -> None:
        """Notes where the model is served from; executors of users call it, too."""
        model_push.set_int_custom_property("pushed", 1)
        model_push.set_string_custom_property("pushed_destination", pushed_destination)
        if pushed_version is not None:
            model_push.set_string_custom_property("pushed_version", pushed_version)

    def _MarkNotPushed(self, model_push: Artifact) -> None:
        model_push.set_int_custom_property("pushed", 0)
        if self._why_not_pushed:
            model_push.set_string_custom_property(SUMMARY_KEY, self._why_not_pushed)
            self.context.report_progress({"model": self._why_not_pushed})


def check_blessed_model(blessing: Artifact, models: Sequence[Artifact]) -> None:
    """A blessing counts for the model that it is about, not for another pipeline's.

    One that does not say what it is about, as a user's own component may write it, counts.

    Raises:
        ValueError: if it is about a model of another pipeline.
    """
    about = blessing.get_string_custom_property("current_model")
    if not about or not models or os.path.abspath(about) == os.path.abspath(models[0].uri):
        return
    pushed = models[0].uri
    if _pipeline_root(about) == _pipeline_root(pushed):
        _logger.warning("The blessing is about %s; what is pushed is %s.", about, pushed)
        return
    raise ValueError(
        f"The blessing {blessing.uri} is about a model of another pipeline, {about}; the model to "
        f"push is {pushed}. Wire the blessing of the Evaluator that evaluated this model: "
        "model_blessing=evaluator.outputs['blessing']."
    )


def _pipeline_root(model_uri: str) -> str:
    """What is above `<node>/<output>/<execution>`."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(model_uri))))


def _parse(value: Any) -> pusher_pb2.PushDestination:
    if isinstance(value, str):
        return proto_json.json_to_proto(value, pusher_pb2.PushDestination())
    assert isinstance(value, pusher_pb2.PushDestination)
    return value


def push_directory(source: str, base_directory: str) -> str:
    """Copies a model into a new version below `base_directory` and returns the version's path.

    The copy lies aside until it is whole and on disk; the rename makes it visible at once. In an
    object store a marker says that a version is whole.
    """
    check_source_path(base_directory, "push_destination")
    check_model_files(source)
    if is_supported(base_directory):
        return push_to_store(source, base_directory)
    base_directory = os.path.abspath(base_directory)
    if _is_within(os.path.realpath(base_directory), os.path.realpath(source)):
        raise ValueError(
            f"push_destination {base_directory!r} lies in the model that is pushed, {source!r}. "
            "Choose a directory outside of it."
        )
    os.makedirs(base_directory, exist_ok=True)
    with directory_aside(base_directory) as aside:
        # One level down, because a copy takes over the time of its source and `aside` must not
        # look stale to a push on another host.
        copy = os.path.join(aside, "model")
        copy_model(source, copy)
        os.chmod(copy, 0o755)  # noqa: S103  a server under another account reads it
        pushed = rename_to_next_version(copy, base_directory)
        _sync(base_directory)
        return pushed


def check_model_files(model: str) -> None:
    """Refuses a model that is not all its own.

    A copy follows links: one that leads out of the model would publish what lies there, and links
    from directory to directory could lead it round in circles.

    Raises:
        ValueError: naming the link, or the device, named pipe or socket.
    """
    root = os.path.realpath(model)
    for directory, directories, names in os.walk(model):
        for name in (*directories, *names):
            path = os.path.join(directory, name)
            check_not_special(path, "A model cannot be pushed:")
            if not os.path.islink(path):
                continue
            target = os.path.realpath(path)
            if not _is_within(target, root):
                raise ValueError(
                    f"A model cannot be pushed: {path!r} is a link that leads out of it, to "
                    f"{target!r}. Copy the file into the model instead of linking it."
                )
            if os.path.isdir(target) and _has_linked_directory(target):
                raise ValueError(
                    f"A model cannot be pushed: {path!r} is a link to {target!r}, which has links "
                    "to directories in it, so that a copy might never end. Remove one of them."
                )


def _has_linked_directory(top: str) -> bool:
    return any(
        os.path.islink(os.path.join(directory, name))
        for directory, directories, _ in os.walk(top)
        for name in directories
    )


def _is_within(path: str, directory: str) -> bool:
    return os.path.commonpath([path, directory]) == directory


def copy_model(source: str, destination: str) -> None:
    """Copies a model; `saved_model.pb` comes last, for servers that look for it alone."""
    shutil.copytree(
        source,
        destination,
        dirs_exist_ok=True,
        ignore=lambda directory, names: {"saved_model.pb"} if directory == source else set(),
    )
    for directory, _, names in os.walk(destination):
        for name in names:
            _sync(os.path.join(directory, name))
    top_file = os.path.join(source, "saved_model.pb")
    if os.path.exists(top_file):
        target = os.path.join(destination, "saved_model.pb")
        shutil.copy2(top_file, target)
        _sync(target)


def _sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
