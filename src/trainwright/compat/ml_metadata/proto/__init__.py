"""Messages of ML Metadata, where `ml_metadata.proto` has them."""

from trainwright.proto.mlmd import metadata_store_pb2, metadata_store_service_pb2
from trainwright.proto.mlmd.metadata_store_pb2 import (
    Artifact,
    ArtifactType,
    Association,
    Attribution,
    ConnectionConfig,
    Context,
    ContextType,
    Event,
    Execution,
    ExecutionType,
    FakeDatabaseConfig,
    MetadataStoreClientConfig,
    MySQLDatabaseConfig,
    ParentContext,
    SqliteMetadataSourceConfig,
)

__all__ = [
    "Artifact",
    "ArtifactType",
    "Association",
    "Attribution",
    "ConnectionConfig",
    "Context",
    "ContextType",
    "Event",
    "Execution",
    "ExecutionType",
    "FakeDatabaseConfig",
    "MetadataStoreClientConfig",
    "MySQLDatabaseConfig",
    "ParentContext",
    "SqliteMetadataSourceConfig",
    "metadata_store_pb2",
    "metadata_store_service_pb2",
]
