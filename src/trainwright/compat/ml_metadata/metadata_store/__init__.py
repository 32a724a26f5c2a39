"""The store of ML Metadata, where `ml_metadata.metadata_store` has it."""

from trainwright.compat.ml_metadata.metadata_store.metadata_store import (
    ListOptions,
    MetadataStore,
    OrderByField,
    downgrade_schema,
)

__all__ = ["ListOptions", "MetadataStore", "OrderByField", "downgrade_schema"]
