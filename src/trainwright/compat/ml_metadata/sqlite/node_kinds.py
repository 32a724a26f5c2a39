"""Node kinds: the common form of artifacts, executions and contexts, and their differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainwright.compat.ml_metadata.sqlite.schema import (
    ARTIFACT_TYPE,
    CONTEXT_TYPE,
    EXECUTION_TYPE,
)
from trainwright.proto.mlmd import metadata_store_pb2 as mlmd

# An Artifact, Execution or Context, and the message of its type. The generated classes share no
# base class that has their fields.
NodeMessage = Any
TypeMessage = Any


@dataclass(frozen=True, kw_only=True)
class NodeKind:
    """One of the three kinds of nodes: its messages, its tables and the columns of its own.

    Args:
        table: The table of the nodes; that of their properties is named after it.
        fields: Columns beside those that all nodes have, which are fields of the message, too.
        state: The column of the state, which a filter query compares with names of `states`.
    """

    table: str
    message: type[Any]
    type_message: type[Any]
    type_kind: int
    fields: tuple[str, ...]
    state: str | None = None
    states: Mapping[str, int]
    has_structs: bool = False

    @property
    def noun(self) -> str:
        return self.table.lower()

    @property
    def properties_table(self) -> str:
        return f"{self.table}Property"

    @property
    def id_column(self) -> str:
        """The name of a node's id in the tables that refer to it."""
        return f"{self.noun}_id"

    @property
    def base_types(self) -> dict[str, int]:
        """The number of each system-defined base type, by the name of its stored type."""
        extension = mlmd.system_type_extension
        values = self.type_message.SystemDefinedBaseType.DESCRIPTOR.values
        return {
            value.GetOptions().Extensions[extension].type_name: value.number for value in values
        }


ARTIFACT = NodeKind(
    table="Artifact",
    message=mlmd.Artifact,
    type_message=mlmd.ArtifactType,
    type_kind=ARTIFACT_TYPE,
    fields=("uri", "state"),
    state="state",
    states=dict(mlmd.Artifact.State.items()),
)
EXECUTION = NodeKind(
    table="Execution",
    message=mlmd.Execution,
    type_message=mlmd.ExecutionType,
    type_kind=EXECUTION_TYPE,
    fields=("last_known_state",),
    state="last_known_state",
    states=dict(mlmd.Execution.State.items()),
    has_structs=True,
)
CONTEXT = NodeKind(
    table="Context",
    message=mlmd.Context,
    type_message=mlmd.ContextType,
    type_kind=CONTEXT_TYPE,
    fields=(),
    states={},
)
