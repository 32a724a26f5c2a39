"""Helpers of operators: checks of their arguments, and artifacts by span."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from trainwright.dsl.input_resolution.exceptions import InvalidArgument
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.types.artifact import Artifact, PropertyType

SPAN_PROPERTY = {"span": PropertyType.INT}
VERSION_PROPERTY = {"version": PropertyType.INT}
SPAN_AND_VERSION_PROPERTIES = {**SPAN_PROPERTY, **VERSION_PROPERTY}

# Keys of the dicts that operators take and give. The spelling of some is TFX's.
EXAMPLES_KEY = "examples"
MODEL_KEY = "model"
MODEL_BLESSSING_KEY = "model_blessing"
MODEL_EXPORT_KEY = "model_export"
MODEL_INFRA_BLESSING_KEY = "model_infra_blessing"
MODEL_PUSH_KEY = "model_push"
TRANSFORMED_EXAMPLES_KEY = "transformed_examples"
ROOT_ARTIFACT_KEY = "root_artifact"

EXAMPLES_TYPE_NAME = "Examples"
TRANSFORM_GRAPH_TYPE_NAME = "TransformGraph"
MODEL_TYPE_NAME = "Model"
MODEL_RUN_TYPE_NAME = "ModelRunPath"
MODEL_BLESSING_TYPE_NAME = "ModelBlessing"
MODEL_INFRA_BLESSSING_TYPE_NAME = "ModelInfraBlessingPath"
MODEL_PUSH_TYPE_NAME = "ModelPushPath"

ARTIFACT_TYPE_NAME_BY_KEY = {
    EXAMPLES_KEY: EXAMPLES_TYPE_NAME,
    MODEL_KEY: MODEL_TYPE_NAME,
    MODEL_BLESSSING_KEY: MODEL_BLESSING_TYPE_NAME,
    MODEL_INFRA_BLESSING_KEY: MODEL_INFRA_BLESSSING_TYPE_NAME,
    MODEL_PUSH_KEY: MODEL_PUSH_TYPE_NAME,
}

# How far a lineage is followed: from an artifact to an execution is one hop.
GRAPH_TRAVERSAL_OP_MAX_NUM_HOPS = 100
LATEST_POLICY_MODEL_OP_MAX_NUM_HOPS = 50
BATCH_SIZE = 100

Artifacts = Sequence[Artifact]
ArtifactMap = Mapping[str, Artifacts]


def creation_order(artifact: Any) -> tuple[int, int]:
    """The key that sorts artifacts by when they were made, ties by id."""
    return artifact.mlmd_artifact.create_time_since_epoch, artifact.id


def version_order(artifact: Any) -> tuple[int, int, int]:
    """The key that sorts the artifacts of a span by version, ties by when they were made."""
    return artifact.version, *creation_order(artifact)


def get_valid_artifact_states_filter_query(valid_artifact_states: Sequence[int]) -> str:
    """ML Metadata's query for artifacts in one of these states.

    >>> get_valid_artifact_states_filter_query([2])
    'state IN (LIVE)'
    """
    names = map(metadata_store_pb2.Artifact.State.Name, valid_artifact_states)
    return f"state IN ({', '.join(names)})"


def validate_argument(
    argument_name: str,
    argument_value: int,
    min_value: int | None = None,
    max_value: int | None = None,
) -> None:
    """Refuses a number below or above its bounds."""
    if min_value is not None and argument_value < min_value:
        raise InvalidArgument(
            f"{argument_name} must be >= {min_value} but was set to {argument_value}."
        )
    if max_value is not None and argument_value > max_value:
        raise InvalidArgument(
            f"{argument_name} must be <= {max_value} but was set to {argument_value}."
        )


def validate_input_dict(
    input_dict: ArtifactMap, valid_keys: Collection[str], requires_all: bool = False
) -> None:
    """Refuses other keys than these, and artifacts of other types than the keys are for."""
    if requires_all and set(input_dict) != set(valid_keys):
        raise InvalidArgument(
            f"input_dict must have all keys in {valid_keys}, but only had {list(input_dict)}"
        )
    for key, artifacts in input_dict.items():
        if key not in valid_keys:
            raise InvalidArgument(
                f"input_dict can only have keys {valid_keys}, but contained key {key}."
            )
        expected = ARTIFACT_TYPE_NAME_BY_KEY[key]
        for artifact in artifacts:
            if artifact.type_name != expected:
                raise InvalidArgument(
                    f'Artifacts of input_dict["{key}"] are expected to have artifacts with '
                    f"TYPE_NAME {expected}, but artifact {artifact} had {artifact.type_name}."
                )


def get_valid_artifacts(
    artifacts: Iterable[Artifact], property_types: Mapping[str, PropertyType]
) -> list[Any]:
    """The artifacts whose type declares these properties, with these types."""

    def has_all(artifact: Artifact) -> bool:
        declared = artifact.PROPERTIES or {}
        return all(
            name in declared and declared[name].type == type
            for name, type in property_types.items()
        )

    return list(filter(has_all, artifacts))


def filter_artifacts_by_span(
    artifacts: Sequence[Any],
    span_descending: bool,
    n: int = 1,
    skip_last_n: int = 0,
    keep_all_versions: bool = False,
    min_span: int | None = None,
    version_sort_keys: Sequence[str] = (),
) -> list[Any]:
    """The artifacts of some spans, sorted by span and version.

    Args:
        artifacts: What to choose from; all have a span and a version.
        span_descending: Take the newest spans, not the oldest.
        n: How many spans; all of them if it is not positive.
        skip_last_n: Leave out this many of the newest spans first.
        keep_all_versions: Keep all artifacts of a span, not only that of the newest version.
        min_span: Leave out older spans.
        version_sort_keys: Attributes to sort the artifacts of a span by, in place of the version:
            "mlmd_artifact.create_time_since_epoch" names one of a part.
    """
    by_span: dict[int, list[Any]] = {}
    for artifact in artifacts:
        if min_span is None or artifact.span >= min_span:
            by_span.setdefault(artifact.span, []).append(artifact)
    spans = sorted(by_span)[: -skip_last_n or None]
    if n > 0:
        spans = spans[-n:] if span_descending else spans[:n]
    order = _attribute_order(version_sort_keys) if version_sort_keys else version_order
    chosen: list[Any] = []
    for span in spans:
        versions = sorted(by_span[span], key=order)
        chosen += versions if keep_all_versions else versions[-1:]
    return chosen


def _attribute_order(paths: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    def order(artifact: Any) -> tuple[Any, ...]:
        return tuple(functools.reduce(getattr, path.split("."), artifact) for path in paths)

    return order


def sort_artifact_dict(artifacts_by_key: dict[str, list[Artifact]]) -> dict[str, list[Artifact]]:
    """Sorts the artifacts of each key by when they were made."""
    for artifacts in artifacts_by_key.values():
        artifacts.sort(key=creation_order)
    return artifacts_by_key
