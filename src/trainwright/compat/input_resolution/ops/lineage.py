"""Operators that look at what artifacts were made from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from trainwright.compat.input_resolution.ops.lineage_walk import (
    LIVE,
    Event,
    as_artifacts,
    read_messages,
    related_artifact_ids,
)
from trainwright.compat.input_resolution.ops.ops_utils import (
    GRAPH_TRAVERSAL_OP_MAX_NUM_HOPS,
    ROOT_ARTIFACT_KEY,
    ArtifactMap,
    Artifacts,
    sort_artifact_dict,
)
from trainwright.compat.mlmd.events import is_valid_output_event, places_of
from trainwright.dsl.input_resolution.exceptions import FailedPreconditionError, SkipSignal
from trainwright.dsl.input_resolution.resolver_op import (
    ARTIFACT_LIST,
    ARTIFACT_MULTIMAP,
    ARTIFACT_MULTIMAP_LIST,
    Property,
    ResolverOp,
)
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.types.artifact import Artifact

Groups = list[dict[str, list[Artifact]]]


class GroupByDisjointLineage(
    ResolverOp,
    canonical_name="tfx.GroupByDisjointLineage",
    arg_data_types=(ARTIFACT_MULTIMAP,),
    return_data_type=ARTIFACT_MULTIMAP_LIST,
):
    """A dict for each group of artifacts that have to do with each other.

    Two artifacts do if one execution has both of them, as inputs or outputs; what lies between
    them must be among the artifacts, too. `require_all` leaves out groups that lack a key.
    """

    require_all = Property(type=bool, default=False)

    def apply(self, artifact_map: ArtifactMap) -> Groups:
        keyed = _KeyedArtifacts(artifact_map)
        neighbors = keyed.neighbors(self.context.store)
        groups: Groups = []
        seen: set[int] = set()
        for artifact_id in sorted(keyed.by_id):
            if artifact_id not in seen:
                members = _reachable(artifact_id, neighbors)
                seen |= members
                groups.append(keyed.group(sorted(members)))
        return [group for group in groups if not self.require_all or all(group.values())]


class GroupByPivot(
    ResolverOp,
    canonical_name="tfx.GroupByPivot",
    arg_data_types=(ARTIFACT_MULTIMAP,),
    return_data_type=ARTIFACT_MULTIMAP_LIST,
):
    """A dict for each artifact under `pivot_key`, with those that share an execution with it."""

    pivot_key = Property(type=str)
    require_all = Property(type=bool, default=False)

    def apply(self, artifact_map: ArtifactMap) -> Groups:
        if self.pivot_key not in artifact_map:
            raise FailedPreconditionError(
                f'Pivot "{self.pivot_key}" does not exist in the artifact map. '
                f"Containing keys: {list(artifact_map)}"
            )
        keyed = _KeyedArtifacts(artifact_map)
        neighbors = keyed.neighbors(self.context.store)
        groups = []
        for pivot in artifact_map[self.pivot_key]:
            group = keyed.group(sorted(neighbors[pivot.id]))
            group[self.pivot_key].insert(0, pivot)
            groups.append(group)
        return [group for group in groups if not self.require_all or all(group.values())]


class _KeyedArtifacts:
    """Artifacts by id, and the keys under which they were given."""

    def __init__(self, artifact_map: ArtifactMap) -> None:
        self._map = artifact_map
        self.by_id = {one.id: one for found in artifact_map.values() for one in found}

    def group(self, artifact_ids: Iterable[int]) -> dict[str, list[Artifact]]:
        """These artifacts under all keys that they were given under."""
        wanted = list(artifact_ids)
        given = {key: {artifact.id for artifact in found} for key, found in self._map.items()}
        return {key: [self.by_id[one] for one in wanted if one in given[key]] for key in self._map}

    def neighbors(self, store: Any) -> defaultdict[int, set[int]]:
        """For each artifact, the others that an execution has together with it."""
        by_execution = defaultdict(set)
        events = store.get_events_by_artifact_ids(list(self.by_id)) if self.by_id else []
        for event in events:
            by_execution[event.execution_id].add(event.artifact_id)
        neighbors: defaultdict[int, set[int]] = defaultdict(set)
        for together in by_execution.values():
            for artifact_id in together:
                neighbors[artifact_id] |= together - {artifact_id}
        return neighbors


def _reachable(start: int, neighbors: defaultdict[int, set[int]]) -> set[int]:
    found, frontier = {start}, {start}
    while frontier:
        frontier = set().union(*(neighbors[one] for one in frontier)) - found
        found |= frontier
    return found


class GraphTraversal(
    ResolverOp,
    canonical_name="tfx.GraphTraversal",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_MULTIMAP,
):
    """What an artifact was made from, or what was made from it, by the names of types.

    The artifact itself is there as `root_artifact`. `node_ids` and `output_keys` keep only what
    these nodes made, under these keys.
    """

    traverse_upstream = Property(type=bool)
    artifact_type_names = Property(type=Sequence[str])
    node_ids = Property(type=Sequence[str], default=[])
    output_keys = Property(type=Sequence[str], default=[])

    def apply(self, input_list: Artifacts) -> ArtifactMap:
        if not input_list:
            return {}
        if not self.artifact_type_names:
            raise ValueError(
                "At least one artifact type name must be provided, but artifact_type_names was "
                "empty."
            )
        if len(input_list) != 1:
            raise ValueError("GraphTraversal ResolverOp does not support batch traversal.")
        root = input_list[0]
        store = self.context.store
        found = related_artifact_ids(
            store,
            root.id,
            upstream=self.traverse_upstream,
            max_hops=GRAPH_TRAVERSAL_OP_MAX_NUM_HOPS,
        )
        messages = [
            message
            for message in read_messages(store, self._of_nodes(root, found))
            if message.type in self.artifact_type_names and message.state == LIVE
        ]
        result: dict[str, list[Artifact]] = {ROOT_ARTIFACT_KEY: [root]}
        result |= {name: [] for name in self.artifact_type_names}
        for artifact in as_artifacts(store, self._with_keys(messages)):
            result[artifact.type_name].append(artifact)
        return sort_artifact_dict(result)

    def _of_nodes(self, root: Artifact, artifact_ids: set[int]) -> set[int]:
        if not self.node_ids:
            return artifact_ids
        contexts = self.context.store.get_contexts_by_artifact(root.id)
        pipelines = [context.name for context in contexts if context.type == "pipeline"]
        if not pipelines:
            raise ValueError("No pipeline context was found.")
        names = {f"{pipelines[0]}.{node_id}" for node_id in self.node_ids}
        return {one for one in artifact_ids if names & self._node_names(one)}

    def _node_names(self, artifact_id: int) -> set[str]:
        contexts = self.context.store.get_contexts_by_artifact(artifact_id)
        return {context.name for context in contexts if context.type == "node"}

    def _with_keys(
        self, messages: list[metadata_store_pb2.Artifact]
    ) -> list[metadata_store_pb2.Artifact]:
        if not self.output_keys or not messages:
            return messages
        events = self.context.store.get_events_by_artifact_ids([one.id for one in messages])
        wanted = {
            event.artifact_id
            for event in events
            if any(is_valid_output_event(event, key) for key in self.output_keys)
        }
        return [message for message in messages if message.id in wanted]


class Siblings(
    ResolverOp,
    canonical_name="tfx.Siblings",
    arg_data_types=(ARTIFACT_LIST,),
    return_data_type=ARTIFACT_MULTIMAP,
):
    """What the execution that made an artifact made beside it, by output key.

    The artifact itself is there as `root_artifact`. Without `output_keys`, all other keys count.
    """

    output_keys = Property(type=Sequence[str], default=[])

    def apply(self, input_list: Artifacts) -> ArtifactMap:
        if not input_list:
            return {}
        if len(input_list) != 1:
            raise ValueError("Siblings ResolverOp does not support batch queries.")
        root = input_list[0]
        events = self._output_events(root)
        keys = list(self.output_keys) or sorted(
            {key for event in events if event.artifact_id != root.id for key, _ in places_of(event)}
        )
        live = {
            message.id: message
            for message in read_messages(self.context.store, {one.artifact_id for one in events})
            if message.state == LIVE
        }
        result: dict[str, list[Artifact]] = {ROOT_ARTIFACT_KEY: [root]}
        for key in keys:
            made = [one.artifact_id for one in events if is_valid_output_event(one, key)]
            messages = [live[artifact_id] for artifact_id in made if artifact_id in live]
            result[key] = as_artifacts(self.context.store, messages)
        return sort_artifact_dict(result)

    def _output_events(self, root: Artifact) -> list[Event]:
        store = self.context.store
        makers = {
            event.execution_id
            for event in store.get_events_by_artifact_ids([root.id])
            if is_valid_output_event(event)
        }
        events = store.get_events_by_execution_ids(sorted(makers)) if makers else []
        return [event for event in events if is_valid_output_event(event)]


class LatestPipelineRunOutputs(
    ResolverOp,
    canonical_name="tfx.LatestPipelineRunOutputs",
    arg_data_types=(),
    return_data_type=ARTIFACT_MULTIMAP,
):
    """The outputs of a pipeline's last complete run, as the pipeline declares them."""

    pipeline_name = Property(type=str)
    output_keys = Property(type=Sequence[str], default=())

    def apply(self) -> ArtifactMap:
        if not self.pipeline_name:
            raise ValueError("pipeline_name for LatestPipelineRunOutputs can not be empty.")
        store = self.context.store
        events = [
            event
            for event in store.get_events_by_execution_ids([self._last_end().id])
            if is_valid_output_event(event)
        ]
        if not events:
            raise SkipSignal(
                f"Pipeline {self.pipeline_name} does not have any output artifacts from "
                "PipelineEnd node."
            )
        messages = read_messages(store, {event.artifact_id for event in events})
        live = [message for message in messages if message.state == LIVE]
        by_id = {artifact.id: artifact for artifact in as_artifacts(store, live)}
        result: dict[str, list[Artifact]] = {}
        for event in sorted(events, key=_event_index):
            for key, _ in places_of(event):
                if event.artifact_id in by_id and key in (self.output_keys or [key]):
                    result.setdefault(key, []).append(by_id[event.artifact_id])
        return result

    def _last_end(self) -> metadata_store_pb2.Execution:
        """The last complete execution of the node that ends the pipeline as a part of another."""
        store = self.context.store
        context = store.get_context_by_type_and_name(
            "node", f"{self.pipeline_name}.{self.pipeline_name}_end"
        )
        if not context:
            raise SkipSignal(
                f"Pipeline {self.pipeline_name} does not have a PipelineEnd node, possibly due to "
                "not defining the pipeline outputs."
            )
        complete = [
            execution
            for execution in store.get_executions_by_context(context.id)
            if execution.last_known_state == metadata_store_pb2.Execution.COMPLETE
        ]
        if not complete:
            raise SkipSignal(f"Pipeline {self.pipeline_name} does not have a successful execution.")
        last: metadata_store_pb2.Execution = max(
            complete, key=lambda one: (one.create_time_since_epoch, one.id)
        )
        return last


def _event_index(event: Event) -> int:
    return next((step.index for step in event.path.steps if step.HasField("index")), 0)
