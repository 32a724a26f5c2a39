"""Resolver choice: the artifacts that a Resolver chooses in a run."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainwright.dsl.input_resolution.evaluation import evaluate_channel
from trainwright.dsl.input_resolution.exceptions import InputResolutionError, SkipSignal
from trainwright.dsl.input_resolution.resolved_channel import ResolvedChannel
from trainwright.dsl.resolver import Resolver
from trainwright.dsl.resolver_strategy import Artifacts
from trainwright.metadata import contexts
from trainwright.metadata.artifact_records import from_record, ids_of
from trainwright.metadata.internal_properties import REUSED_EXECUTION
from trainwright.metadata.records import ArtifactRecord, ArtifactState, ExecutionState
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration.lookups.artifact_search import ArtifactSearch, SearchResult
from trainwright.orchestration.lookups.store_reader import StoreReader
from trainwright.orchestration.planning.channel_contents import as_inputs, records_in
from trainwright.orchestration.planning.lookup_stop import interruptible
from trainwright.orchestration.publishing.manifest import Manifest
from trainwright.orchestration.publishing.published_outputs import Records, outputs_of
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel, OutputChannel


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The outputs of a Resolver.

    Args:
        outputs: What was chosen, by key; a key without artifacts is there too.
        manifests: What the chosen artifacts are made of, in the same places.
        why_empty: For each key without artifacts, why.
    """

    outputs: Records
    manifests: Mapping[str, list[Manifest | None]]
    why_empty: Mapping[str, str]

    def describe(self) -> str:
        """For example "model: Model 5; model_blessing: ModelBlessing 7"."""
        parts = []
        for key, records in self.outputs.items():
            names = [f"{record.type.name} {record.id}" for record in records]
            parts.append(f"{key}: {', '.join(names) or f'nothing ({self.why_empty[key]})'}")
        return "; ".join(parts)


class ResolverChoices:
    """Makes the choices of one run; nothing is written."""

    def __init__(self, store: MetadataStore, pipeline_name: str) -> None:
        self._store = store
        self._pipeline_name = pipeline_name
        self._search = ArtifactSearch(store, pipeline_name)
        self._why_empty: dict[tuple[str, str], str] = {}

    def choose(self, node: Resolver, made: Mapping[str, Records]) -> Choice:
        """Lets the node's strategy choose; `made` has the outputs of finished nodes by node id."""
        found = {key: self._find(channel, made) for key, channel in node.inputs.items()}
        given = {
            key: [from_record(record, node.inputs[key].type) for record in result.available]
            for key, result in found.items()
        }
        answer = _ask_strategy(node, StoreReader(self._store), given)
        chosen = {key: self._read_answer(node, key, answer, found[key]) for key in node.outputs}
        why_empty = {
            key: found[key].why_none or _describe_refusal(node, found[key])
            for key, result in chosen.items()
            if not result.available
        }
        self._why_empty.update({(node.id, key): why for key, why in why_empty.items()})
        return Choice(
            outputs={key: result.available for key, result in chosen.items()},
            manifests={
                key: [result.manifests.get(record.id or 0) for record in result.available]
                for key, result in chosen.items()
            },
            why_empty=why_empty,
        )

    def why_empty(self, channel: BaseChannel) -> str:
        """Why the Resolvers behind a channel have chosen nothing; empty if none has."""
        reasons = [
            f"{output.producer_id} found nothing: {reason}"
            for output in channel.producers()
            if (reason := self._why_empty.get((output.producer_id, output.output_key or "")))
        ]
        return "; ".join(reasons)

    def find_same_choice(self, node: Resolver, choice: Choice) -> int | None:
        """The execution that made the last choice, if it was the same; a reused one stands for
        the one that it reused."""
        finished = self._store.get_executions(
            context=contexts.node_context(self._pipeline_name, node.id),
            states=[ExecutionState.COMPLETE, ExecutionState.CACHED],
            limit=1,
        )
        for execution in finished:
            before = ids_of(outputs_of(self._store, execution.id))
            now = {key: ids for key, ids in ids_of(choice.outputs).items() if ids}
            if execution.type.name == node.type_name and before == now:
                return int(execution.custom_properties.get(REUSED_EXECUTION, execution.id))
        return None

    def resolve_channel(
        self, channel: ResolvedChannel, made: Mapping[str, Records]
    ) -> list[ArtifactRecord]:
        """What a resolver function chooses, among what this run has made and earlier runs have.

        Raises ValueError if it cannot choose, SkipSignal if its node is to be skipped.
        """
        known: dict[int | None, ArtifactRecord] = {}

        def find(part: BaseChannel) -> list[Artifact]:
            is_made_here = bool(list(part.producers()))
            found = records_in(part, made) if is_made_here else self._search.find(part).available
            known.update({record.id: record for record in found})
            return as_inputs(found, part)

        try:
            with interruptible():  # operators may be the user's own
                chosen = evaluate_channel(channel, find, StoreReader(self._store).ml_metadata)
        except InputResolutionError as error:
            raise ValueError(f"{channel!r} could not be chosen: {error}") from error
        others = {one.id for one in chosen if one.id is not None and one.id not in known}
        if others:
            records = self._store.get_artifacts(ids=others, states=[ArtifactState.LIVE])
            known.update({record.id: record for record in records})
        return [known[artifact.id] for artifact in chosen if artifact.id in known]

    def _find(self, channel: BaseChannel, made: Mapping[str, Records]) -> SearchResult:
        if isinstance(channel, ResolvedChannel):
            chosen = self.resolve_channel(channel, made)
            examined = self._search.examine(chosen)
            whole = {record.id for record in examined.available}
            in_order = [record for record in chosen if record.id in whole]
            why = examined.why_none or f"{channel!r} is empty"
            return dataclasses.replace(examined, available=in_order, why_none=why)
        outputs = list(channel.producers())
        if outputs and all(isinstance(output.producer, Resolver) for output in outputs):
            # What another Resolver has chosen, not whatever it chose in earlier runs.
            return self._search.examine(_made_by(outputs, made))
        return self._search.find(channel)

    def _read_answer(
        self, node: Resolver, key: str, answer: Mapping[str, Any], found: SearchResult
    ) -> SearchResult:
        """What the strategy has chosen for a key, as records of the store."""
        known = {record.id: record for record in found.available}
        ids = [_checked_id(node, key, artifact) for artifact in answer.get(key) or []]
        unknown = {artifact_id for artifact_id in ids if artifact_id not in known}
        manifests = dict(found.manifests)
        if unknown:
            others = self._find_others(node, key, unknown)
            known.update({record.id: record for record in others.available})
            manifests.update(others.manifests)
        chosen = [known[artifact_id] for artifact_id in ids]
        return SearchResult(available=chosen, manifests=manifests)

    def _find_others(self, node: Resolver, key: str, artifact_ids: set[int]) -> SearchResult:
        """Artifacts that a strategy has found in the store by itself."""
        said = f"{node.strategy_class.__name__} chose for {key!r} of {node.id} what cannot be used"
        try:
            records = self._store.get_artifacts(ids=artifact_ids, states=[ArtifactState.LIVE])
        except KeyError as error:
            raise ValueError(f"{said}: the store knows no artifact {error.args[0]}.") from error
        others = self._search.examine(records)
        if len(others.available) != len(artifact_ids):
            why = others.why_none or "one of its artifacts is not published, or not whole"
            raise ValueError(f"{said}: {why}.")
        return others


def _ask_strategy(node: Resolver, store: StoreReader, given: Artifacts) -> Mapping[str, Any]:
    strategy = node.make_strategy()
    name = node.strategy_class.__name__
    try:
        with interruptible():  # a user's own may ask elsewhere
            answer = strategy.resolve_artifacts(store, given)
    except SkipSignal:
        raise
    except Exception as error:
        if node.strategy_class.__module__.startswith("trainwright."):
            raise
        described = f"{type(error).__name__}: {error}"
        raise RuntimeError(f"{name} of {node.id} failed with {described}") from error
    if answer is None:
        return {}
    if not isinstance(answer, Mapping):
        raise ValueError(
            f"{name}.resolve_artifacts must return a dict of lists of artifacts, or None; got "
            f"{answer!r}."
        )
    unknown = [key for key in answer if key not in node.outputs]
    if unknown:
        raise ValueError(
            f"{name}.resolve_artifacts returned {unknown[0]!r}, but {node.id} has the channels "
            f"{', '.join(map(repr, node.outputs))}."
        )
    return answer


def _checked_id(node: Resolver, key: str, artifact: Any) -> int:
    wanted = node.outputs[key].type_name
    if not isinstance(artifact, Artifact) or artifact.type_name != wanted or not artifact.id:
        shown = artifact._brief() if isinstance(artifact, Artifact) else repr(artifact)
        raise ValueError(
            f"{node.strategy_class.__name__} chose {shown} for {key!r} of {node.id}; expected "
            f"a {wanted} that the store knows."
        )
    return artifact.id


def _describe_refusal(node: Resolver, found: SearchResult) -> str:
    count = len(found.available)
    noun = f"{node.strategy_class.__name__} chose none of"
    return f"{noun} the {count} that there are" if count > 1 else f"{noun} what there is"


def _made_by(outputs: list[OutputChannel], made: Mapping[str, Records]) -> list[ArtifactRecord]:
    return [
        record
        for output in outputs
        for record in made.get(output.producer_id, {}).get(output.output_key or "", [])
    ]
