"""Reads from a compiled pipeline what its nodes run, and where the run is remembered."""

from __future__ import annotations

import logging
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from trainwright.proto.orchestration import (
    local_deployment_config_pb2,
    metadata_pb2,
    pipeline_pb2,
)

_logger = logging.getLogger(__name__)


def extract_local_deployment_config(
    pipeline: pipeline_pb2.Pipeline,
) -> local_deployment_config_pb2.LocalDeploymentConfig:
    """The deployment config of a compiled pipeline, in the form for one machine.

    Raises:
        ValueError: it is neither of that form nor of the compiler's own.
    """
    config = pipeline.deployment_config
    local = local_deployment_config_pb2.LocalDeploymentConfig()
    if config.Unpack(local):
        return local
    intermediate = pipeline_pb2.IntermediateDeploymentConfig()
    if config.Unpack(intermediate):
        return _to_local(intermediate)
    raise ValueError(
        f"deployment_config {config} of type {config.type_url!r} is not supported: expected "
        "IntermediateDeploymentConfig, which the compiler makes, or LocalDeploymentConfig."
    )


def extract_mlmd_connection(
    connection_config: AnyMessage,
) -> metadata_pb2.MLMDConnectionConfig:
    """How the metadata store is reached; empty if the message is of no known kind."""
    result = metadata_pb2.MLMDConnectionConfig()
    for name in result.DESCRIPTOR.fields_by_name:
        field = getattr(result, name)
        if connection_config.Is(field.DESCRIPTOR):
            connection_config.Unpack(field)
            field.SetInParent()
    return result


def extract_executor_spec(
    deployment_config: local_deployment_config_pb2.LocalDeploymentConfig, node_id: str
) -> Message | None:
    """What a node runs; None for nodes without an executor, such as an Importer."""
    return _chosen(deployment_config.executor_specs.get(node_id))


def extract_custom_driver_spec(
    deployment_config: local_deployment_config_pb2.LocalDeploymentConfig, node_id: str
) -> Message | None:
    """The driver of a node that has one of its own; None for the others."""
    return _chosen(deployment_config.custom_driver_specs.get(node_id))


def _chosen(executable_spec: Any) -> Message | None:
    if executable_spec is None:
        return None
    spec: Message = getattr(executable_spec, executable_spec.WhichOneof("spec"))
    return spec


def _to_local(
    config: pipeline_pb2.IntermediateDeploymentConfig,
) -> local_deployment_config_pb2.LocalDeploymentConfig:
    result = local_deployment_config_pb2.LocalDeploymentConfig()
    for node_id, spec in config.executor_specs.items():
        _unpack_one(spec, result.executor_specs[node_id], f"Executor spec of {node_id}")
    for node_id, spec in config.custom_driver_specs.items():
        _unpack_one(spec, result.custom_driver_specs[node_id], f"Driver spec of {node_id}")
    for node_id, spec in config.node_level_platform_configs.items():
        platform_config = result.node_level_platform_configs[node_id]
        _unpack_one(spec, platform_config, f"Platform config of {node_id}")
    connection = extract_mlmd_connection(config.metadata_connection_config)
    result.metadata_connection_config.CopyFrom(connection)
    if connection.WhichOneof("connection_config") is None:
        _logger.warning("metadata_connection_config is not provided by IR.")
    return result


def _unpack_one(given: AnyMessage, target: Any, what: str) -> None:
    """Puts a message into the field of its type."""
    for name in target.DESCRIPTOR.fields_by_name:
        field = getattr(target, name)
        if given.Is(field.DESCRIPTOR):
            given.Unpack(field)
            field.SetInParent()
            return
    expected = ", ".join(target.DESCRIPTOR.fields_by_name)
    raise ValueError(
        f"{what} is expected to be of one of the types of {target.DESCRIPTOR.full_name} "
        f"({expected}) but got type {given.type_url}"
    )
