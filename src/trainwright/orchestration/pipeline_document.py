"""Serial form of a pipeline: a JSON document with the graph, and a command for each node.

For orchestrators that only start commands. User code is not in it: the document names the file that
the pipeline comes from, and its commands load it again. docs/other_runners.md has the fields.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Collection, Mapping
from typing import Any

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.metadata.store_urls import without_password
from trainwright.orchestration.running.run_job import RunJob

FORMAT = "trainwright.pipeline"
# Raised when a field changes its meaning or goes; new fields may come without that.
VERSION = 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class PipelineSource:
    """Where a pipeline comes from.

    Args:
        file: The absolute path of its Python file.
        settings: What `--set` gives: arguments of `create_pipeline()` and runtime parameters.
        arguments: The file's own arguments.
        working_directory: Where its relative paths begin.
    """

    file: str
    settings: Mapping[str, str]
    arguments: tuple[str, ...]
    working_directory: str


def pipeline_document(job: RunJob, source: PipelineSource, path: str) -> dict[str, Any]:
    """The document of a checked pipeline that will be written to a path, as JSON holds it;
    ValueError if a node cannot have a command."""
    for node in job.pipeline.components:
        if node.id.startswith("-"):  # `--help` would end with 0, and nothing would have run
            raise ValueError(
                f"The node id {node.id!r} begins with a dash: its command would take it for an "
                "option. Give the node another id with with_id()."
            )
    return {
        "format": FORMAT,
        "version": VERSION,
        "pipeline": job.pipeline.pipeline_name,
        "root": job.root,
        "store": without_password(job.store.url),
        "enable_cache": job.pipeline.enable_cache,
        "source": {**dataclasses.asdict(source), "arguments": list(source.arguments)},
        "nodes": [
            _node_document(node, job.waits_for.get(node.id, ()), path)
            for node in job.pipeline.components
        ],
    }


def read_document(path: str) -> dict[str, Any]:
    """A document that `pipeline_document` has made; ValueError if the file holds none."""
    try:
        with open(path, encoding="utf-8") as file:
            document: Any = json.load(file)
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} cannot be read as a compiled pipeline: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(
            f"{path} is not a compiled pipeline. Expected what `trainwright compile FILE` writes."
        )
    if document.get("version") != VERSION:
        raise ValueError(
            f"{path} has version {document.get('version')!r:.80} of the format, expected "
            f"{VERSION}. Compile the pipeline again with this version of Trainwright."
        )
    return document


def read_source(document: Mapping[str, Any]) -> PipelineSource:
    """Where the pipeline of a document comes from; ValueError if it does not say."""
    source = document.get("source")
    given = source if isinstance(source, dict) else {}
    settings, arguments = given.get("settings"), given.get("arguments")
    is_whole = (
        _is_path(given.get("file"))
        and _is_path(given.get("working_directory"))
        and isinstance(settings, dict)
        and all(isinstance(value, str) for value in settings.values())
        and isinstance(arguments, list)
        and all(isinstance(argument, str) for argument in arguments)
    )
    if not is_whole:
        raise ValueError(
            "The compiled pipeline does not say where it comes from. Expected a source with file, "
            "settings, arguments and working_directory, as `trainwright compile FILE` writes it, "
            f"got {source!r:.200}."
        )
    return PipelineSource(
        file=given["file"],
        settings=given["settings"],
        arguments=tuple(given["arguments"]),
        working_directory=given["working_directory"],
    )


def read_store(document: Mapping[str, Any]) -> str:
    """The URL of a document's store, without a password; ValueError if it names none."""
    store = document.get("store")
    if not store or not isinstance(store, str):
        raise ValueError(
            f"The compiled pipeline names no metadata store: expected a URL, got {store!r:.200}. "
            "Compile it again."
        )
    return store


def _is_path(value: object) -> bool:
    return isinstance(value, str) and bool(value) and "\0" not in value


def _node_document(node: BaseNode, waits_for: Collection[str], path: str) -> dict[str, Any]:
    upstream = dict.fromkeys([*(other.id for other in node.upstream_nodes), *waits_for])
    return {
        "id": node.id,
        "type": node.type_name,
        "upstream": list(upstream),
        "inputs": {
            key: [
                {"node": output.producer_id, "key": output.output_key}
                for output in channel.producers()
            ]
            for key, channel in node.inputs.items()
        },
        "outputs": {key: channel.type_name for key, channel in node.outputs.items()},
        "properties": _properties(node),
        "conditions": [str(condition) for condition in node.conditions],
        "options": dataclasses.asdict(node.options),
        "command": [
            *(sys.executable, "-m", "trainwright"),
            *("execute-node", os.path.abspath(path), node.id),
        ],
    }


def _properties(node: BaseNode) -> dict[str, Any]:
    """The properties that are remembered with an execution, as declared: what is known only in a
    run, and code, by its name."""
    private = node.DRIVER_CLASS.PRIVATE_PROPERTIES if isinstance(node, BaseComponent) else ()
    return {
        name: _as_json(value)
        for name, value in node.exec_properties.items()
        if value is not None and not name.startswith("_") and name not in private
    }


def _as_json(value: Any) -> Any:
    if callable(value):
        return f"{value.__module__}.{value.__qualname__}"
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError):
        return str(value)
