"""Pipeline check: refuses, before anything starts, what cannot work."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from trainwright._paths import (
    MissingInputError,
    check_can_write_below,
    check_local_path,
    is_remote,
)
from trainwright._suggest import did_you_mean
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.beam_flags import misspelt_runner, remote_runner
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.dsl.importer import Importer
from trainwright.dsl.input_resolution.resolved_channel import ResolvedChannel
from trainwright.dsl.manual_node import ManualNode
from trainwright.dsl.pipeline import ROOT_PARAMETER, ExecutionMode, Pipeline
from trainwright.dsl.resolver import Resolver
from trainwright.engine.on_beam.beam_flags import flag_value
from trainwright.metadata.connection import is_sqlite, sqlite_path
from trainwright.orchestration.launching.containers import check_container, has_platform_options
from trainwright.orchestration.lookups.import_lookup import source_path
from trainwright.orchestration.planning.node_resolution import (
    check_properties,
    resolve_runtime_parameters,
)
from trainwright.orchestration.publishing import places
from trainwright.storage import objects, uris
from trainwright.storage.errors import StorageError
from trainwright.storage.local_copies import check_copies
from trainwright.types.channel import OutputChannel
from trainwright.types.pipeline_channels import ExternalPipelineChannel
from trainwright.types.placeholders.artifact_placeholder import ArtifactPlaceholder
from trainwright.types.placeholders.channel_placeholder import (
    ChannelWrappedPlaceholder,
    check_values_exist,
)
from trainwright.types.placeholders.placeholder import Placeholder
from trainwright.types.placeholders.runtime_placeholders import (
    ExecInvocationPlaceholder,
    ExecPropertyPlaceholder,
    RuntimeInfoPlaceholder,
)
from trainwright.types.runtime_parameter import RuntimeParameter

_KNOWN_WHEN_EXECUTED = (
    ExecInvocationPlaceholder,
    ExecPropertyPlaceholder,
    RuntimeInfoPlaceholder,
)

# What SQLite puts beside the file of a store.
_STORE_SUFFIXES = ("", "-wal", "-shm", "-journal")
# What TensorFlow expands in the paths of files, also of those in a SavedModel.
_PATTERN_SIGNS = "*?[\\"


def check_pipeline(pipeline: Pipeline, parameters: Mapping[str, Any]) -> str:
    """Raises ValueError if parameters or root are wrong; returns the absolute pipeline root."""
    if pipeline.execution_mode is not ExecutionMode.SYNC:
        raise ValueError(
            f"Only ExecutionMode.SYNC pipelines can run, got {pipeline.execution_mode!r}."
        )
    known = pipeline.runtime_parameters()
    for name in parameters:
        if name not in known:
            raise ValueError(
                f"Pipeline {pipeline.pipeline_name!r} has no runtime parameter {name!r}"
                f"{did_you_mean(name, known)}"
            )
    for parameter in known.values():
        if parameter != ROOT_PARAMETER:
            parameter.resolve(dict(parameters))
    root = pipeline.pipeline_root
    if isinstance(root, RuntimeParameter):
        root = root.resolve(dict(parameters))
    if isinstance(root, Placeholder):
        raise ValueError(
            f"The pipeline_root of {pipeline.pipeline_name!r} is {root}, which only another "
            "platform knows: give a directory, or a RuntimeParameter."
        )
    if not root:
        raise ValueError(
            f"Pipeline {pipeline.pipeline_name!r} has no pipeline_root: name the directory that "
            "its artifacts are written to."
        )
    uris.check_slashes(str(root), "pipeline_root")
    if is_remote(str(root)):
        uris.check_uri(str(root), "pipeline_root")
    else:
        check_local_path(root, "pipeline_root")
    _check_temporary_place(pipeline.beam_pipeline_args, f"Pipeline {pipeline.pipeline_name!r}")
    return places.absolute(str(root))


def _check_temporary_place(flags: Sequence[Any], owner: str) -> None:
    """Refuses credentials in an address that many read: workers, logs, the runner's own pages."""
    place = flag_value([flag for flag in flags if isinstance(flag, str)], "temp_location") or ""
    if uris.has_credentials(place):
        raise ValueError(
            f"{owner}: --temp_location {uris.without_secrets(place)!r} among beam_pipeline_args "
            "has credentials in it. Remove them: they are taken from the environment."
        )


def with_root(pipeline: Pipeline, parameters: Mapping[str, Any], root: str) -> dict[str, Any]:
    """The values of runtime parameters, with the root for those who ask for it."""
    asks = ROOT_PARAMETER.name in pipeline.runtime_parameters()
    return {ROOT_PARAMETER.name: root, **parameters} if asks else dict(parameters)


def check_nodes(
    nodes: Iterable[BaseNode], parameters: Mapping[str, Any], after_own: Collection[str]
) -> dict[str, str]:
    """Raises ValueError if one of these nodes cannot run.

    Args:
        nodes: What is to run.
        parameters: Values for the pipeline's runtime parameters.
        after_own: The nodes that wait for a component of the user's own, which may make what they
            read. What is not there yet is not a reason to refuse them; they look when they start.

    Returns:
        What is not there yet, in words, by node id.
    """
    missing = {}
    for node in nodes:
        try:
            _check_node(node, parameters)
        except MissingInputError as error:
            if node.id not in after_own:
                raise
            missing[node.id] = str(error)
    return missing


def check_store_place(nodes: Iterable[BaseNode], root: str, store_url: str) -> None:
    """Refuses a node whose directory below the root would be the file of the metadata store.

    Raises:
        ValueError: naming the node and the file.
    """
    if not is_sqlite(store_url):
        return
    store = sqlite_path(store_url)
    taken = {os.path.realpath(store + suffix) for suffix in _STORE_SUFFIXES}
    for node in nodes:
        directory = os.path.join(root, node.id)
        if os.path.realpath(directory) in taken:
            raise ValueError(
                f"The node id {node.id!r} cannot be used: the node's outputs would go to "
                f"{directory}, which belongs to the metadata store {store}. Give the node another "
                "id with .with_id(), or the pipeline another metadata_connection_config."
            )


def find_warnings(pipeline: Pipeline, node_ids: Collection[str]) -> Iterator[tuple[str, str]]:
    """What is said of these nodes and will not work as it seems: a node's id, and a message."""
    yield from _find_pattern_in_root(pipeline, node_ids)
    for node in pipeline.components:
        if node.id not in node_ids:
            continue
        if node.platform_config is not None and not has_platform_options(node):
            yield (
                node.id,
                "with_platform_config has no effect: every node runs on this machine.",
            )
        misspelt = _find_in_ignored_flags(misspelt_runner, node, pipeline)
        if misspelt is not None:
            yield (
                node.id,
                f"beam_pipeline_args have {misspelt!r}, which names no runner: the flag is "
                "--runner=NAME. This component does its work on this machine, without Beam: remove "
                "the flag to be rid of this warning.",
            )
        runner = _find_in_ignored_flags(remote_runner, node, pipeline)
        if runner is not None:
            yield (
                node.id,
                f"does not run on {runner}, which beam_pipeline_args name: "
                f"{_why_not_on_beam(node, pipeline)} Remove the flag --runner to be rid of this "
                "warning.",
            )


def _find_pattern_in_root(
    pipeline: Pipeline, node_ids: Collection[str]
) -> Iterator[tuple[str, str]]:
    """A root below which TensorFlow finds no files, said at the first node that needs it."""
    root = pipeline.pipeline_info.pipeline_root
    path = os.path.abspath(root) if isinstance(root, str) else ""
    signs = sorted(set(path) & set(_PATTERN_SIGNS))
    for node in pipeline.components if signs else []:
        executor = getattr(getattr(node, "executor_spec", None), "executor_class", None)
        if node.id in node_ids and "tensorflow" in getattr(executor, "PRELOAD", ()):
            yield (
                node.id,
                f"the pipeline's root {path!r} has {' and '.join(map(repr, signs))} in it, which "
                "TensorFlow takes for a pattern: it will not find models and examples there. "
                "Choose a root without it; the name of a pipeline may be part of its root.",
            )
            return


def _find_in_ignored_flags(
    find: Callable[[Sequence[str]], str | None], node: BaseNode, pipeline: Pipeline
) -> str | None:
    """What is found in the flags of a node whose executor does without; None if all is well.

    What an executor of the user's own makes of its flags is not known.
    """
    if not isinstance(node, BaseComponent) or not isinstance(node.executor_spec, ExecutorClassSpec):
        return None
    of_node = [flag for flag in node.beam_pipeline_args if isinstance(flag, str)]
    of_pipeline = [flag for flag in pipeline.beam_pipeline_args if isinstance(flag, str)]
    found = find([*of_pipeline, *of_node])
    if found is None:
        return None
    executor = node.executor_spec.executor_class
    if getattr(executor, "REPLACES_BEAM", False):
        # Its passes run on that runner, unless an engine was chosen outright.
        follows = find is remote_runner and pipeline.engine is None
        return None if follows else found
    is_meant = find(of_node) is not None
    is_ours = executor.__module__.startswith("trainwright.")
    return found if is_meant and is_ours else None


def _why_not_on_beam(node: BaseNode, pipeline: Pipeline) -> str:
    executor = getattr(getattr(node, "executor_spec", None), "executor_class", None)
    if getattr(executor, "REPLACES_BEAM", False):
        return f"the pipeline's engine is {pipeline.engine}, which counts more."
    return "this component does its work without Beam."


def check_root(root: str) -> None:
    """Refuses a pipeline root that cannot be used, as far as that shows without writing to it."""
    if not is_remote(root):
        check_can_write_below(root, "pipeline_root")
        return
    try:
        objects.list_names(root)
    except StorageError as error:
        raise ValueError(f"pipeline_root {root!r} cannot be used: {error}") from error


def make_root(root: str) -> None:
    """Makes the pipeline root; raises ValueError if nothing can be written there."""
    if is_remote(root):
        check_copies()
        _try_objects(root)
        return
    try:
        os.makedirs(root, exist_ok=True)
    except OSError as error:
        raise ValueError(
            f"pipeline_root {root!r} cannot be made: {error.strerror}. Choose a directory that "
            "you may write to."
        ) from error
    check_can_write_below(root, "pipeline_root")


def _try_objects(root: str) -> None:
    """Tries what runs do below a root in an object store: put what is not there yet, list, read
    and remove it."""
    probe = uris.join(root, ".system", f"probe-{secrets.token_hex(8)}")
    try:
        objects.create(probe, b"")
        try:
            objects.list_tree(probe)
            objects.read(probe)
        finally:
            objects.remove(probe)
    except StorageError as error:
        raise ValueError(f"pipeline_root {root!r} cannot be used: {error}") from error


def _check_node(node: BaseNode, parameters: Mapping[str, Any]) -> None:
    for key, channel in {**node.inputs, **node.hidden_inputs}.items():
        for producer in channel.producers():
            _check_output_exists(node, key, producer)
    if node.node_execution_options is not None:
        node.node_execution_options.check(node.id)
    _check_placeholders(node)
    if isinstance(node, BaseComponent):
        _check_component(node, parameters)
    elif isinstance(node, Resolver):
        if not node.inputs:
            raise ValueError(
                f"{node.id}: a Resolver needs channels to choose from, for example "
                "model=Channel(type=Model)."
            )
        node.make_strategy()
    elif isinstance(node, Importer):
        source_path(node, parameters)
    elif isinstance(node, Pipeline):
        raise ValueError(
            f"{node.id!r} is a pipeline within the pipeline, which can be compiled but not run: "
            "list its components in the outer pipeline."
        )
    elif isinstance(node, ManualNode):
        raise ValueError(
            f"{node.id} waits for a person to do something (ManualNode), which no run here does. "
            "Leave it out, and run up to it and then on from it: `trainwright run FILE --to NODE`, "
            "`trainwright run FILE --from NODE`."
        )
    else:
        raise ValueError(f"Node {node.id!r} of type {type(node).__name__} cannot be run.")


def _check_component(node: BaseComponent, parameters: Mapping[str, Any]) -> None:
    if node.PRE_EXECUTABLE_SPEC is not None or node.POST_EXECUTABLE_SPEC is not None:
        raise ValueError(
            f"{node.id} has a hook around its execution (pre_execution, post_execution), which "
            "nothing here calls. Do that work in its executor, or in a component of its own."
        )
    check_container(node)
    _check_temporary_place(node.beam_pipeline_args, node.id)
    _check_processes(node)
    for key, channel in node.inputs.items():
        if isinstance(channel, ExternalPipelineChannel):
            raise ValueError(
                f"Input {key!r} of {node.id!r} is what another pipeline has made, {channel!r}, "
                "which is not looked up here. Give the path of the artifact to an Importer."
            )
        if isinstance(channel, ResolvedChannel):
            _check_resolved_channel(node, key, channel)
        elif not channel.is_optional and not list(channel.producers()):
            raise ValueError(
                f"Input {key!r} of {node.id!r} comes from no node of the pipeline. Pass a node's "
                f"output, for example some_node.outputs[{key!r}], instead of {channel!r}. A "
                "Resolver finds what earlier runs have made."
            )
    _check_given_executor(node)
    try:
        properties = resolve_runtime_parameters(node, parameters)
    except TypeError as error:  # a value of the run, not a mistake in the pipeline's code
        raise ValueError(f"{node.id}: {error}") from error
    if not node.placeholders:  # else it is checked when all is known
        check_properties(node, properties)


def _check_resolved_channel(node: BaseNode, key: str, channel: ResolvedChannel) -> None:
    if channel.for_each_context is not None:
        raise ValueError(
            f"Input {key!r} of {node.id!r} is the variable of a ForEach, which runs its node once "
            "for each value. Nothing here does that: take one value, for example with "
            "latest_created or pick, or run the pipeline once for each."
        )


def _check_given_executor(node: BaseComponent) -> None:
    """Refuses an executor that cannot run here; a component's own one is its driver's matter."""
    spec = node.executor_spec
    is_own = spec is getattr(type(node), "EXECUTOR_SPEC", None)
    if isinstance(spec, ExecutorClassSpec) and not is_own:
        reason = getattr(spec.executor_class, "CANNOT_RUN", "")
        if reason:
            raise ValueError(f"{node.id}: {reason}")


def _check_processes(node: BaseComponent) -> None:
    """Refuses several processes where each of them would do all of the work."""
    count, spec = node.options.num_processes, node.executor_spec
    executor = spec.executor_class if isinstance(spec, ExecutorClassSpec) else None
    if count > 1 and not getattr(executor, "USES_RANKS", False):
        what = f"its executor {executor.__qualname__}" if executor else "its container"
        raise ValueError(
            f"{node.id} is to run in {count} processes (with_processes), but {what} does not "
            "divide its work: each would write the same outputs. An executor class that does so "
            "by self.context.rank says it with USES_RANKS = True; else leave with_processes out."
        )


def _check_placeholders(node: BaseNode) -> None:
    for placeholder in (*node.conditions, *node.placeholders.values()):
        check_values_exist(placeholder)
        _check_can_be_known(node, placeholder)
        for channel in placeholder.channels():
            if not list(channel.producers()):
                raise ValueError(
                    f"{node.id} depends on {placeholder}, but {channel!r} comes from no node of "
                    "the pipeline. Ask about a node's output; those of a Resolver are what earlier "
                    "runs have made."
                )


def _check_can_be_known(node: BaseNode, placeholder: Placeholder) -> None:
    """Refuses placeholders of what is not known until the node is executed."""
    for part in placeholder.traverse():
        if isinstance(part, ChannelWrappedPlaceholder):
            continue
        is_output = isinstance(part, ArtifactPlaceholder) and part.is_output
        if is_output or isinstance(part, _KNOWN_WHEN_EXECUTED):
            raise ValueError(
                f"{node.id} depends on {placeholder}, but {part} is not known before the node is "
                "executed. Properties and conditions may ask for inputs, environment variables and "
                "what other nodes have made."
            )
        if isinstance(part, ArtifactPlaceholder) and part.key not in node.inputs:
            raise ValueError(
                f"{node.id} depends on {placeholder}, but has no input {part.key!r}"
                f"{did_you_mean(str(part.key), node.inputs)}"
            )


def _check_output_exists(node: BaseNode, key: str, channel: OutputChannel) -> None:
    if channel.output_key not in channel.producer.outputs:
        raise ValueError(
            f"Input {key!r} of {node.id!r} is {channel!r}, but {channel.producer_id!r} has only "
            f"{sorted(channel.producer.outputs)}."
        )
