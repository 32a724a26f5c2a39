"""All inputs of a node of a compiled pipeline: a dict for each execution that it is to have.

Each input is found by itself, as a list of artifacts for each turn of the loops it depends on. A
`Partition` says which turn that is; joining by partitions gives the dicts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.compat.input_resolution.channel_resolver import resolve_union_channels, store_of
from trainwright.compat.input_resolution.conditional_strategy import evaluate_predicate
from trainwright.compat.input_resolution.input_graph_resolver import build_graph_fn
from trainwright.compat.input_resolution.ops.lineage_walk import as_artifacts
from trainwright.compat.input_resolution.partitions import NO_PARTITION, Partition, join
from trainwright.compat.utils.topsort import InvalidDAGError, topsorted_layers
from trainwright.dsl.input_resolution import exceptions
from trainwright.dsl.input_resolution.resolver_op import ARTIFACT_LIST, ARTIFACT_MULTIMAP
from trainwright.proto.orchestration import pipeline_pb2
from trainwright.types.artifact import Artifact

NodeInputs = pipeline_pb2.NodeInputs
Entries = list[tuple[Partition, list[Artifact]]]
ArtifactMap = dict[str, list[Artifact]]


def resolve(handle_like: Any, node_inputs: NodeInputs) -> list[ArtifactMap]:
    """Finds the inputs of a node.

    Args:
        handle_like: A `Metadata` or a connection manager.
        node_inputs: What the compiled pipeline says of the inputs.

    Raises:
        InputResolutionError: They cannot be found, or are fewer than needed.
        SkipSignal: The node is to be skipped.
    """
    resolved: defaultdict[str, Entries] = defaultdict(list)
    for key in _sorted_keys(node_inputs):
        if key not in resolved:  # a graph fills all keys that it is for at once
            _resolve_key(handle_like, node_inputs, key, resolved)
    visible = [key for key, spec in node_inputs.inputs.items() if not spec.hidden]
    result = [artifact_map for _, artifact_map in _join(resolved, visible)]
    result = [one for one in result if _meets_conditions(one, node_inputs.conditionals)]
    for artifact_map in result:
        _check_counts(artifact_map, node_inputs)
    return result


def _check_counts(artifact_map: ArtifactMap, node_inputs: NodeInputs) -> None:
    for key, artifacts in artifact_map.items():
        needed = node_inputs.inputs[key].min_count
        if len(artifacts) < needed:
            raise exceptions.InsufficientInputError(
                f"InputSpec min_count has not met: inputs[{key}] has min_count = {needed} but "
                f"only got {len(artifacts)} artifacts. (Artifact IDs: "
                f"{[artifact.id for artifact in artifacts]})"
            )


def _sorted_keys(node_inputs: NodeInputs) -> list[str]:
    parents = {key: _dependencies(node_inputs, key) for key in node_inputs.inputs}
    children: defaultdict[str, list[str]] = defaultdict(list)
    for key, above in parents.items():
        for parent in above:
            children[parent].append(key)
    try:
        layers = topsorted_layers(
            list(node_inputs.inputs),
            get_node_id_fn=lambda key: key,
            get_parent_nodes=lambda key: parents[key],
            get_child_nodes=lambda key: children[key],
        )
    except InvalidDAGError as error:
        raise exceptions.FailedPreconditionError(
            f"NodeInputs has a cycle. dependencies = {parents}"
        ) from error
    return [key for layer in layers for key in layer]


def _dependencies(node_inputs: NodeInputs, key: str) -> list[str]:
    """The other inputs that an input is made from."""
    spec = node_inputs.inputs[key]
    graph_id = spec.input_graph_ref.graph_id
    if not graph_id:
        return list(dict.fromkeys(spec.mixed_inputs.input_keys))
    if graph_id not in node_inputs.input_graphs:
        raise exceptions.FailedPreconditionError(
            f"NodeInputs.inputs[{key}] has invalid input_graph_ref; graph_id {graph_id} does not "
            f"exist. Available: {list(node_inputs.input_graphs)}"
        )
    keys = (
        node.input_node.input_key
        for node in node_inputs.input_graphs[graph_id].nodes.values()
        if node.WhichOneof("kind") == "input_node"
    )
    return list(dict.fromkeys(keys))


def _resolve_key(
    handle_like: Any, node_inputs: NodeInputs, key: str, resolved: defaultdict[str, Entries]
) -> None:
    spec = node_inputs.inputs[key]
    if spec.channels:
        resolved[key] = [(NO_PARTITION, resolve_union_channels(handle_like, spec.channels))]
    elif spec.input_graph_ref.graph_id:
        _resolve_graph(handle_like, node_inputs, key, resolved)
    elif spec.mixed_inputs.input_keys:
        resolved[key] = _resolve_union(spec.mixed_inputs.input_keys, resolved)
    elif spec.HasField("static_inputs"):
        ids = spec.static_inputs.artifact_ids
        resolved[key] = [(NO_PARTITION, _resolve_static(store_of(handle_like), ids))]
    else:
        raise exceptions.FailedPreconditionError(
            "Exactly one of InputSpec.channels, InputSpec.input_graph_ref, or "
            "InputSpec.mixed_inputs should be set."
        )


def _resolve_graph(
    handle_like: Any, node_inputs: NodeInputs, key: str, resolved: defaultdict[str, Entries]
) -> None:
    """Evaluates a graph, for all inputs that refer to it."""
    graph_id = node_inputs.inputs[key].input_graph_ref.graph_id
    graph = node_inputs.input_graphs[graph_id]
    output_type = graph.nodes[graph.result_node].output_data_type
    references = {
        other: spec.input_graph_ref.key
        for other, spec in node_inputs.inputs.items()
        if spec.input_graph_ref.graph_id == graph_id
    }
    evaluate, needed = build_graph_fn(handle_like, graph)
    entries: defaultdict[str, Entries] = defaultdict(list)
    for partition, inputs in _join(resolved, needed):
        result = evaluate(inputs)
        if output_type == ARTIFACT_LIST:
            entries[key].append((partition, list(result)))
            continue
        turns = [(partition, result)]
        if output_type != ARTIFACT_MULTIMAP:
            turns = [(partition | {graph_id: turn}, one) for turn, one in enumerate(result)]
        for place, by_key in turns:
            for other, name in references.items():
                entries[other].append((place, list(by_key[name])))
    for other in references if output_type != ARTIFACT_LIST else [key]:
        resolved[other] = entries[other]


def _resolve_union(keys: Sequence[str], resolved: Mapping[str, Entries]) -> Entries:
    result = []
    for partition, by_key in _join(resolved, keys):
        # What was imported from elsewhere has no id of its own here.
        by_id = {
            artifact.id or artifact.mlmd_artifact.external_id: artifact
            for key in keys
            for artifact in by_key[key]
        }
        result.append((partition, list(by_id.values())))
    return result


def _resolve_static(store: Any, artifact_ids: Sequence[int]) -> list[Artifact]:
    if not artifact_ids:
        return []
    found = {message.id: message for message in store.get_artifacts_by_id(list(artifact_ids))}
    lacking = set(artifact_ids) - set(found)
    if lacking:
        raise exceptions.InvalidArgument(
            f"InputSpec.Static.artifact_ids {list(artifact_ids)} contains non-existing artifact "
            f"IDs: {lacking}"
        )
    if len({message.type_id for message in found.values()}) > 1:
        raise exceptions.FailedPreconditionError(
            "InputSpec.Static should contain the homogeneous artifact type but got multiple: "
            f"{sorted({message.type for message in found.values()})}"
        )
    return as_artifacts(store, [found[one] for one in artifact_ids])


def _join(
    resolved: Mapping[str, Entries], keys: Sequence[str]
) -> Sequence[tuple[Partition, ArtifactMap]]:
    joined: Sequence[tuple[Partition, ArtifactMap]] = [(NO_PARTITION, {})]
    for key in keys:
        keyed = [(partition, {key: artifacts}) for partition, artifacts in resolved[key]]
        joined = join(joined, keyed, merge_fn=lambda left, right: {**left, **right})
    return joined


def _meets_conditions(
    artifact_map: ArtifactMap, conditionals: Mapping[str, NodeInputs.Conditional]
) -> bool:
    for name, condition in conditionals.items():
        holds = evaluate_predicate(condition.placeholder_expression, artifact_map)
        if not isinstance(holds, bool):
            raise exceptions.FailedPreconditionError(
                f"Invalid conditional expression for {name}; Expected boolean type but got "
                f"{type(holds)} type."
            )
        if not holds:
            return False
    return True
