"""Staging: a node's inputs on the local disk, and its outputs in the object store of the root.

An executor works with local paths alone. What it reads is copied to this machine before it begins,
by way of a cache that the nodes of the machine share; what it writes goes to the node's work
directory and is uploaded when it is done, before its result is told. A result in the object store
says that all that it names is there: it is put last, and once.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from trainwright._paths import is_remote
from trainwright.dsl.base_executor import ArtifactDict
from trainwright.engine.shard_files import expecting
from trainwright.orchestration.publishing import layout, places
from trainwright.orchestration.publishing.manifest import Manifest
from trainwright.orchestration.publishing.work_files import end_copies, in_use, local_output
from trainwright.processes.frame import encode_json
from trainwright.storage import objects, transfer, uris
from trainwright.storage.local_copies import LocalCopies, default_copies
from trainwright.types.artifact import Artifact

_logger = logging.getLogger(__name__)

# How many artifacts are copied at once; each of them has several transfers of its own.
_AT_ONCE = 4


class Staging(contextlib.AbstractContextManager["Staging"]):
    """What a node reads and makes, on this machine while its executor runs.

    Args:
        plan: What the node's request says of it; None if all of it is on disks.
        context: What the executor's context is made of.
        input_dict: The inputs; their URIs become local paths.
        output_dict: Likewise the outputs, if they belong into an object store.
        streamed: The keys of inputs that keep their URIs.
    """

    def __init__(
        self,
        plan: Mapping[str, Any] | None,
        context: Mapping[str, Any],
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        streamed: Collection[str] = (),
    ) -> None:
        self._plan = plan or {}
        self._context = dict(context)
        self._inputs = input_dict
        self._outputs = output_dict
        self._streamed = streamed
        self._uris: dict[str, str] = {}  # of what was staged, by its local path
        self._directory: str = self._plan.get("directory", "")
        self._held = contextlib.ExitStack()

    @property
    def context(self) -> dict[str, Any]:
        """The executor's context, with what earlier attempts have left on this machine."""
        return self._context

    @property
    def is_remote(self) -> bool:
        """Whether the node's outputs belong into an object store."""
        return is_remote(self._directory)

    def __enter__(self) -> Staging:
        if not self._plan:
            return self
        try:
            if self.is_remote:
                self._make_work_directory()
                self._place_outputs()
                self._take_over_state()
                self._take_over_outputs()
            if self._plan["stages_inputs"]:
                self._stage_inputs()
            self._held.enter_context(expecting(self._contents_left_there()))
        except BaseException:
            self._held.close()
            raise
        return self

    def __exit__(self, exc_type: Any, exc: Any, traceback: Any) -> None:
        self._held.close()

    # Before the executor runs

    def _make_work_directory(self) -> None:
        os.makedirs(self._context["stateful_working_dir"], exist_ok=True)
        self._held.enter_context(in_use(self._directory))

    def _place_outputs(self) -> None:
        for key, artifacts in self._outputs.items():
            for artifact in artifacts:
                uri, place = artifact.uri, layout.output_directory(artifact.uri)
                local = local_output(self._context["log_dir"], key, place)
                os.makedirs(local, exist_ok=True)
                self._uris[local] = place
                artifact.uri = local if uri == place else os.path.join(local, uris.name(uri))

    def _take_over_state(self) -> None:
        if self._context["rank"] != 0:
            return
        state = self._context["stateful_working_dir"]
        earlier = self._plan["earlier_state"]
        if earlier:
            _download_all(earlier, state)

    def _take_over_outputs(self) -> None:
        above = os.path.join(self._context["log_dir"], "earlier")
        found: dict[str, list[str]] = {}
        for key, directories in self._context["earlier_outputs"].items():
            for number, uri in enumerate(directories):
                local = os.path.join(above, key, str(number))
                _download_all(uri, local)
                found.setdefault(key, []).append(local)
        self._context["earlier_outputs"] = found

    def _stage_inputs(self) -> None:
        copies = default_copies()
        wanted = {
            artifact.uri
            for key, group in self._inputs.items()
            for artifact in group
            if is_remote(artifact.uri) and key not in self._streamed
        }
        if not wanted:
            return
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            staged = list(pool.map(lambda uri: (uri, self._fetch(copies, uri)), sorted(wanted)))
        local = dict(staged)
        self._uris |= {path: uri for uri, path in staged}
        for group in self._inputs.values():
            for artifact in group:
                artifact.uri = local.get(artifact.uri, artifact.uri)
                # A blessing names the model that it is of, which may be an input beside it.
                _change_properties(artifact, lambda value: local.get(value, value))

    def _contents_left_there(self) -> dict[str, list[int]]:
        """What the files of inputs that keep their URIs must be, for those who open them."""
        manifests = self._plan["manifests"]
        return {
            f"{artifact.uri.rstrip('/')}/{name}" if name else artifact.uri: facts
            for artifact in _all(self._inputs)
            for name, facts in manifests.get(artifact.uri, {}).items()
        }

    def _fetch(self, copies: LocalCopies, uri: str) -> str:
        manifest = self._plan["manifests"].get(uri)
        copy = copies.fetch_all(uri) if manifest is None else copies.fetch_tree(uri, manifest)
        return str(self._held.enter_context(copy).path)

    # When the executor is done

    def upload(self, manifests: Mapping[str, list[Manifest | None]]) -> None:
        """Puts the outputs into the store, and gives them, and what speaks of them, their URIs."""
        uploads = []
        for key, artifacts in self._outputs.items():
            for artifact, manifest in zip(artifacts, manifests[key], strict=True):
                local = layout.output_directory(artifact.uri)
                if manifest is not None and local in self._uris:
                    uploads.append((artifact.uri, self.original(artifact.uri), manifest))
        if self.is_remote:
            # From here on no older state of a file may overtake what is uploaded.
            end_copies(self._context["log_dir"])
        for local, uri, manifest in uploads:
            _upload(local, uri, manifest)
        self._upload_pages()
        for artifact in _all(self._outputs):
            artifact.uri = self.original(artifact.uri)
            # A property may name an input or output: the model of a blessing, for example.
            _change_properties(artifact, self.original)
        for artifact in _all(self._inputs):
            artifact.uri = self.original(artifact.uri)
        for local, uri, manifest in uploads:
            if "" not in manifest:
                # The next nodes of this machine need not fetch what is here.
                default_copies().adopt(uri, manifest, local)

    def _upload_pages(self) -> None:
        work = self._context["log_dir"]
        pages = [name for name in os.listdir(work) if name.endswith(".html")]
        if self.is_remote and pages:
            transfer.upload_tree(work, self._directory, pages)

    def original(self, path: str) -> str:
        """The URI of what lies at a local path, or in a directory there; else the path itself."""
        above = path
        while above not in self._uris:
            above, before = os.path.dirname(above), above
            if above == before:
                return path
        return self._uris[above] + path[len(above) :]

    def put_result(self, result_path: str, result: Mapping[str, Any]) -> None:
        """Says in the store that the process is done; whoever finds it can publish the outputs."""
        if self.is_remote:
            uri = uris.join(self._directory, os.path.basename(result_path))
            objects.create(uri, encode_json(result).encode())

    def is_there(self, result_path: str) -> bool:
        """Whether another process of the node has said that it is done."""
        if os.path.isfile(result_path):
            return True
        return self.is_remote and objects.exists(
            uris.join(self._directory, os.path.basename(result_path))
        )


def _upload(local: str, uri: str, manifest: Manifest) -> None:
    names = [name for name in manifest if not name.endswith("/")]
    if names == [""]:
        transfer.upload_file(local, uri)
    else:
        transfer.upload_tree(local, uri, names)


def _download_all(uri: str, directory: str) -> None:
    names = [name for name, _ in places.files_below(uri) if name]
    os.makedirs(directory, exist_ok=True)
    transfer.download_tree(uri, directory, names)


def _change_properties(artifact: Artifact, change: Callable[[str], str]) -> None:
    """Changes the strings among an artifact's properties."""
    message = artifact.mlmd_artifact
    for properties in (message.properties, message.custom_properties):
        for value in properties.values():
            if value.HasField("string_value"):
                changed = change(value.string_value)
                if changed != value.string_value:
                    value.string_value = changed


def _all(artifacts: ArtifactDict) -> Iterator[Artifact]:
    return (artifact for group in artifacts.values() for artifact in group)
