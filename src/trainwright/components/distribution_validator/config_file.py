"""A DistributionValidatorConfig that is kept as an artifact."""

from __future__ import annotations

from trainwright.dsl.io.io_utils import get_only_uri_in_dir
from trainwright.proto import distribution_validator_pb2
from trainwright.types.artifact import Artifact


def load_config_from_artifact(
    config_artifact: Artifact,
) -> distribution_validator_pb2.DistributionValidatorConfig:
    """The config in the only file of an artifact, which holds it in binary form."""
    with open(get_only_uri_in_dir(config_artifact.uri), "rb") as file:
        return distribution_validator_pb2.DistributionValidatorConfig.FromString(file.read())
