"""The tables of a metadata store in SQL, the same ones in every database.

Properties are JSON in text columns, states and event types the names of the enums in `records`.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

schema = MetaData()

# Behind an INSERT: leaves a row alone that is there already. SQLite and PostgreSQL spell it alike,
# but SQLAlchemy has no construct for both.
IF_ABSENT = "ON CONFLICT DO NOTHING"

# SQLite counts up only in a column whose type is INTEGER, and there it holds 64 bits as well.
_Id = BigInteger().with_variant(Integer, "sqlite")


def _id_column() -> Column[int]:
    # PostgreSQL's way to count; SQLite has its own and ignores it.
    return Column("id", _Id, Identity(), primary_key=True)


def _reference(name: str, target: str, *, primary_key: bool = False) -> Column[int]:
    return Column(name, _Id, ForeignKey(target), primary_key=primary_key, nullable=False)


# One row. The name tells a store of ours from a database that somebody else versions.
schema_version = Table(
    "trainwright_schema_version", schema, Column("version", Integer, nullable=False)
)

types = Table(
    "types",
    schema,
    _id_column(),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("base_type", Text),
    Column("properties", Text, nullable=False),
    UniqueConstraint("kind", "name"),
    # Without this word SQLite gives the id of a deleted last row to the next one.
    sqlite_autoincrement=True,
)

artifacts = Table(
    "artifacts",
    schema,
    _id_column(),
    _reference("type_id", "types.id"),
    Column("uri", Text, nullable=False),
    Column("name", Text),
    Column("state", Text, nullable=False),
    Column("properties", Text, nullable=False),
    Column("custom_properties", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Index("artifacts_by_type", "type_id", "id"),
    Index("artifacts_by_uri", "uri"),
    Index("artifacts_by_state", "state", "id"),
    sqlite_autoincrement=True,
)

executions = Table(
    "executions",
    schema,
    _id_column(),
    _reference("type_id", "types.id"),
    Column("state", Text, nullable=False),
    Column("custom_properties", Text, nullable=False),
    Column("lease_host", Text),
    Column("lease_pid", BigInteger),
    Column("lease_process_started_at", Double),
    Column("lease_heartbeat_at", Double),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Index("executions_by_state", "state", "id"),
    sqlite_autoincrement=True,
)

contexts = Table(
    "contexts",
    schema,
    _id_column(),
    _reference("type_id", "types.id"),
    Column("name", Text, nullable=False),
    Column("custom_properties", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    # The name first: it finds contexts of several types in one look at the index.
    UniqueConstraint("name", "type_id"),
    Index("contexts_by_type", "type_id", "id"),
    sqlite_autoincrement=True,
)

events = Table(
    "events",
    schema,
    _reference("execution_id", "executions.id", primary_key=True),
    Column("type", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("index", Integer, primary_key=True),
    _reference("artifact_id", "artifacts.id"),
    Column("at", Double, nullable=False),
    Index("events_by_artifact", "artifact_id"),
    sqlite_with_rowid=False,
)

# Apart from their executions: reading those does not read these.
attachments = Table(
    "attachments",
    schema,
    _reference("execution_id", "executions.id", primary_key=True),
    Column("name", Text, primary_key=True),
    Column("content", Text, nullable=False),
    sqlite_with_rowid=False,
)

# Which artifacts and executions belong to a context. The primary keys begin with the context: read
# backwards they give its newest members first, which is how a cache lookup reads them.
attributions = Table(
    "attributions",
    schema,
    _reference("context_id", "contexts.id", primary_key=True),
    _reference("artifact_id", "artifacts.id", primary_key=True),
    sqlite_with_rowid=False,
)

associations = Table(
    "associations",
    schema,
    _reference("context_id", "contexts.id", primary_key=True),
    _reference("execution_id", "executions.id", primary_key=True),
    Index("associations_by_execution", "execution_id"),
    sqlite_with_rowid=False,
)

# A run has a row here and a context of the same id and name, which groups its executions. All that
# runs, commands and `gc` rely on is in the row; the context repeats it for readers of ML Metadata.
runs = Table(
    "runs",
    schema,
    _reference("id", "contexts.id", primary_key=True),
    Column("run_id", Text, nullable=False),
    Column("pipeline", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("root", Text, nullable=False),
    Column("lease_host", Text),
    Column("lease_pid", BigInteger),
    Column("lease_process_started_at", Double),
    Column("lease_heartbeat_at", Double),
    Column("started_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("ended_at", Double),
    Column("cancel_requested_at", Double),
    Column("deleted_at", Double),
    UniqueConstraint("run_id"),
    Index("runs_by_pipeline", "pipeline", "id"),
)

# The nodes of a run's pipeline; `upstream` is a list in JSON, NULL if it is not known.
run_nodes = Table(
    "run_nodes",
    schema,
    _reference("run", "runs.id", primary_key=True),
    Column("node_id", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("upstream", Text),
    Column("skip_reason", Text),
    sqlite_with_rowid=False,
)
