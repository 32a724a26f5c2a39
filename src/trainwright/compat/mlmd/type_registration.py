"""Types of artifacts, executions and contexts, stored when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from trainwright.compat.ml_metadata import errors
from trainwright.compat.mlmd.metadata import Metadata
from trainwright.proto.mlmd.metadata_store_pb2 import ArtifactType, ContextType, ExecutionType

MetadataType = TypeVar("MetadataType", ArtifactType, ContextType, ExecutionType)


def register_type_if_not_exist(
    metadata_handle: Metadata, metadata_type: MetadataType
) -> MetadataType:
    """The stored type, with its id; properties that it has not had yet are added.

    Raises RuntimeError if the stored type of the name has a property of another type.
    """
    if metadata_type.id:
        return metadata_type
    get, put = _methods(metadata_handle, metadata_type)
    try:
        stored = get(metadata_type.name)
    except errors.NotFoundError:
        stored = None
    if stored is not None and _without_id(stored) == _without_id(metadata_type):
        return stored  # type: ignore[no-any-return]
    try:
        put(metadata_type, can_add_fields=True, can_omit_fields=True)
    except errors.AlreadyExistsError as error:
        raise RuntimeError(
            "Conflicting properties comparing with existing metadata type with the same type "
            f"name. Existing type: {get(metadata_type.name)}, New type: {metadata_type}, error: "
            f"{error}"
        ) from error
    return get(metadata_type.name)  # type: ignore[no-any-return]


def _methods(
    metadata_handle: Metadata, metadata_type: object
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    store = metadata_handle.store
    if isinstance(metadata_type, ArtifactType):
        return store.get_artifact_type, store.put_artifact_type
    if isinstance(metadata_type, ContextType):
        return store.get_context_type, store.put_context_type
    if isinstance(metadata_type, ExecutionType):
        return store.get_execution_type, store.put_execution_type
    raise ValueError(f"Unexpected value type: {type(metadata_type)}.")


def _without_id(metadata_type: Any) -> Any:
    copied = type(metadata_type)()
    copied.CopyFrom(metadata_type)
    copied.ClearField("id")
    return copied
