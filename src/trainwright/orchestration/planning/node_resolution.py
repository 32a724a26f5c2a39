"""Resolves a node's inputs and properties and computes its cache key."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_executor import BaseExecutor
from trainwright.dsl.containers.container_spec import ContainerSpec
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.dsl.function_executor import FunctionExecutor
from trainwright.dsl.input_resolution.resolved_channel import ResolvedChannel
from trainwright.dsl.pipeline import Pipeline
from trainwright.dsl.pipeline_info import ComponentInfo, PipelineInfo
from trainwright.dsl.remote_files import (
    check_source_path,
    fetched_for_check,
    note_remote_files,
)
from trainwright.metadata import contexts
from trainwright.metadata.artifact_records import ids_of
from trainwright.metadata.cache_key import CacheKeyParts
from trainwright.metadata.internal_properties import REUSED_EXECUTION, SOURCE_FILES
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration.launching.containers import platform_options
from trainwright.orchestration.lookups.resolver_choice import ResolverChoices
from trainwright.orchestration.planning.channel_contents import (
    hidden_records,
    known_values,
    needs_input,
    records_in,
)
from trainwright.orchestration.planning.code_fingerprint import code_fingerprint
from trainwright.orchestration.planning.file_digests import FileDigests
from trainwright.orchestration.planning.lookup_stop import interruptible
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.proto import proto_json
from trainwright.storage.errors import StorageError
from trainwright.types.runtime_parameter import RuntimeParameter, resolve_within

# How far back the digests of a node's source files are looked for.
_EXECUTIONS_TO_LOOK_AT = 10


@dataclass(frozen=True, kw_only=True)
class ResolvedNode:
    """A node with the inputs and properties of this run.

    Args:
        node: The node.
        inputs: The artifacts that it reads, by key.
        hidden: The artifacts that its conditions and placeholders look at beside these. They are
            part of the lineage, but the executor does not get them, and the result depends on
            them only through the properties.
        properties: The values that its executor gets.
        parts: What its result depends on.
        cache_key: The digest of the parts.
        source_files: What the next run should remember of its source files.
        has_new_digests: Whether the content of one of them had to be read in this run.
    """

    node: BaseComponent
    inputs: Records
    hidden: Records
    properties: dict[str, Any]
    parts: CacheKeyParts
    cache_key: str
    source_files: Mapping[str, list[Any]]
    has_new_digests: bool

    @property
    def properties_to_store(self) -> dict[str, Any]:
        """The properties that are remembered with an execution."""
        private = self.node.DRIVER_CLASS.PRIVATE_PROPERTIES
        return {
            name: qualified_name(value) if callable(value) else _as_stored(value)
            for name, value in self.properties.items()
            if value is not None and not name.startswith("_") and name not in private
        }


class NodeResolver:
    """Resolves the components of one run; nothing is written.

    Args:
        pipeline: What is run.
        store: Where the digests of source files are remembered.
        runtime_parameters: Values for the pipeline's runtime parameters.
        digests: The contents of files, shared with whoever else asks in this run.
        choices: What Resolvers and resolver functions choose in this run.
        check_again: The nodes, by id, whose properties are checked again when they start: what
            they name may have been made or changed since the run began.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        *,
        store: MetadataStore,
        runtime_parameters: Mapping[str, Any],
        digests: FileDigests,
        choices: ResolverChoices,
        check_again: Collection[str] = (),
    ) -> None:
        self._pipeline = pipeline
        self._store = store
        self._runtime_parameters = dict(runtime_parameters)
        self._digests = digests
        self._choices = choices
        self._check_again = check_again
        self._fingerprints: dict[Any, str] = {}

    def resolve(self, node: BaseComponent, made: Mapping[str, Records]) -> ResolvedNode:
        """The node with what the finished nodes made, whose outputs `made` has by node id."""
        inputs = self.resolve_inputs(node, made)
        driver = node.DRIVER_CLASS()
        properties = resolve_runtime_parameters(node, self._runtime_parameters)
        if node.placeholders:
            properties.update(resolve_placeholders(node, made))
        with interruptible():  # which may read files or ask elsewhere, in code of the user's own
            if node.placeholders or node.id in self._check_again:
                check_properties(node, properties)
            properties = driver.resolve_exec_properties(properties, *self._infos(node))
            files = list(driver.source_files(dict(properties)))
            note_remote_files(properties, self._digests.remote_facts(files))
        if files:
            self._recall_digests(node)
        parts = self._parts(node, inputs, properties, files)
        return ResolvedNode(
            node=node,
            inputs=inputs,
            hidden=hidden_records(node, made),
            properties=properties,
            parts=parts,
            cache_key=parts.key(),
            source_files=self._digests.to_remember(files),
            has_new_digests=self._digests.were_read(files),
        )

    def _infos(self, node: BaseComponent) -> tuple[PipelineInfo, ComponentInfo]:
        """What a driver is told of where it works."""
        pipeline = PipelineInfo(self._pipeline.pipeline_name, self._pipeline.pipeline_root)
        return pipeline, ComponentInfo(node.type, node.id, pipeline)

    def resolve_inputs(self, node: BaseComponent, made: Mapping[str, Records]) -> Records:
        """The artifacts that the node reads; ValueError if one is missing, SkipSignal if it is to
        be skipped."""
        resolved = {}
        for key, channel in node.inputs.items():
            if isinstance(channel, ResolvedChannel):
                records = self._choices.resolve_channel(channel, made)
            else:
                records = records_in(channel, made)
            if not records and needs_input(node, key):
                why = self._choices.why_empty(channel) or f"{channel!r} holds no artifact"
                raise ValueError(f"Input {key!r} of {node.id!r} is empty: {why}.")
            resolved[key] = records
        return resolved

    def _recall_digests(self, node: BaseComponent) -> None:
        """Finds the newest execution of the node that knows digests of its source files."""
        executions = self._store.get_executions(
            context=contexts.node_context(self._pipeline.pipeline_name, node.id),
            limit=_EXECUTIONS_TO_LOOK_AT,
        )
        ids = [execution.id for execution in executions]
        ids += [
            reused
            for execution in executions
            if (reused := execution.custom_properties.get(REUSED_EXECUTION))
        ]
        recorded = self._store.get_attachments(SOURCE_FILES, ids)
        if recorded:
            self._digests.remember(recorded[max(recorded)])

    def _parts(
        self,
        node: BaseComponent,
        inputs: Records,
        properties: Mapping[str, Any],
        source_files: list[str],
    ) -> CacheKeyParts:
        return CacheKeyParts(
            pipeline_name=self._pipeline.pipeline_name,
            node_id=node.id,
            node_type=node.type_name,
            executor=self._executor_identity(node),
            inputs=ids_of(inputs),
            output_types={key: channel.type_name for key, channel in node.outputs.items()},
            exec_properties={
                name: self._fingerprint(value) if callable(value) else _as_stored(value)
                for name, value in properties.items()
                if name not in node.DRIVER_CLASS.PRIVATE_PROPERTIES
            },
            source_files={path: self._digests.digest(path) for path in source_files},
            environment=node.environment,
            num_processes=node.options.num_processes,
        )

    def _executor_identity(self, node: BaseComponent) -> dict[str, Any]:
        """What stands for an executor in a cache key: our version of it, or the user's code."""
        spec = node.executor_spec
        if isinstance(spec, ContainerSpec):
            command, args = spec.parsed_command(type(node.spec))
            return {
                "image": spec.image,
                "command": [*map(str, command)],
                "args": [*map(str, args)],
                "options": platform_options(node.platform_config),
            }
        assert isinstance(spec, ExecutorClassSpec)
        executor_class = spec.executor_class
        if issubclass(executor_class, FunctionExecutor):
            return {"function": self._fingerprint(executor_class._FUNCTION)}
        if executor_class.__module__.startswith("trainwright."):
            return {"class": qualified_name(executor_class), "version": executor_class.VERSION}
        identity = {"class": executor_class.__qualname__, "code": self._fingerprint(executor_class)}
        return {**identity, "flags": spec.extra_flags} if spec.extra_flags else identity

    def _fingerprint(self, code: Any) -> str:
        """The fingerprint of user code, read once a run however many nodes share it."""
        if code not in self._fingerprints:
            self._fingerprints[code] = code_fingerprint(code)
        return self._fingerprints[code]


def check_properties(node: BaseComponent, properties: dict[str, Any]) -> None:
    """Refuses properties with which a component cannot work; raises ValueError."""
    driver = node.DRIVER_CLASS()
    for name, path in driver.checked_paths(node, properties).items():
        check_source_path(path, f"{name} of {node.id}")
    try:
        with fetched_for_check(node.id, driver.source_files, properties) as local:
            driver.check(node, local)
    except (StorageError, ModuleNotFoundError) as error:
        if isinstance(error, StorageError) or error.name == "obstore":
            raise ValueError(f"{node.id}: {error}") from None
        raise
    spec = node.executor_spec
    if isinstance(spec, ExecutorClassSpec) and issubclass(spec.executor_class, BaseExecutor):
        spec.executor_class.check_exec_properties(node.id, properties)


def _as_stored(value: Any) -> Any:
    """A message, which some executors get as it is, is stored as its JSON."""
    return proto_json.proto_to_json(value) if isinstance(value, Message) else value


def qualified_name(function: Any) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def resolve_runtime_parameters(node: BaseComponent, given: Mapping[str, Any]) -> dict[str, Any]:
    """A node's properties with the values of this run, each of the type that its spec says."""
    properties = {}
    for name, value in node.exec_properties.items():
        if isinstance(value, RuntimeParameter):
            parameter = type(node.spec).PARAMETERS[name]
            if value.ptype is None and parameter.type in (int, float):
                # What a command line gives is text.
                value = RuntimeParameter(value.name, parameter.type, value.default)
            value = parameter.convert(name, value.resolve(dict(given)))
        elif (resolved := resolve_within(value, given)) is not value:
            value = type(node.spec).PARAMETERS[name].convert(name, resolved)
        properties[name] = value
    return properties


def resolve_placeholders(node: BaseComponent, made: Mapping[str, Records]) -> dict[str, Any]:
    """The values of a node's placeholders, each of the type that its spec says."""
    known = known_values(node, made)
    properties = {}
    for name, placeholder in node.placeholders.items():
        parameter = type(node.spec).PARAMETERS[name]
        try:
            value = placeholder.resolve(known)
        except ValueError as error:
            raise ValueError(f"{node.id}: property {name!r} has no value: {error}") from error
        if value is None and not parameter.optional:
            raise ValueError(
                f"{node.id}: property {name!r} needs a value, and {placeholder} is not set."
            )
        try:
            properties[name] = None if value is None else parameter.convert(name, value)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"{node.id}: property {name!r} is {placeholder}, which does not fit: {error}"
            ) from error
    return properties
