"""Compares the statistics of each pair of splits and writes what is too far from the baseline."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from trainwright.components.anomalies_output import (
    ARTIFACT_PROPERTY_BLESSED_KEY,
    BLESSED_VALUE,
    NOT_BLESSED_VALUE,
    write_anomalies,
)
from trainwright.components.custom_validations import (
    CUSTOM_VALIDATION_CONFIG_KEY,
    refuse_custom_validations,
)
from trainwright.components.executor_output import output_with
from trainwright.components.split_pairs import SplitPair, choose_split_pairs, pair_name
from trainwright.dsl.base_executor import SUMMARY_KEY, ArtifactDict, BaseExecutor
from trainwright.dsl.io.io_utils import get_only_uri_in_dir
from trainwright.proto import distribution_validator_pb2, proto_json
from trainwright.types import splits
from trainwright.types.artifact import Artifact
from trainwright.types.artifact_utils import get_single_instance
from trainwright.types.standard_component_specs import INCLUDE_SPLIT_PAIRS_KEY

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import statistics_pb2

_logger = logging.getLogger(__name__)

# Beside the ExampleValidator's: there was nothing to compare with.
NO_BASELINE_STATS = 2


class Executor(BaseExecutor):
    """Writes `SplitPair-<split>_<baseline's split>/SchemaDiff.pb` for each pair."""

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> Any:
        refuse_custom_validations(exec_properties.get(CUSTOM_VALIDATION_CONFIG_KEY))
        statistics = get_single_instance(input_dict["statistics"])
        anomalies = get_single_instance(output_dict["anomalies"])
        if not input_dict.get("baseline_statistics"):
            _logger.warning(
                "No baseline statistics found. Rubber stamping distribution validation for all "
                "splits."
            )
            names = splits.decode_split_names(statistics.split_names)
            anomalies.set_json_value_custom_property(
                ARTIFACT_PROPERTY_BLESSED_KEY, dict.fromkeys(names, NO_BASELINE_STATS)
            )
            return output_with("anomalies", anomalies)
        baseline = get_single_instance(input_dict["baseline_statistics"])
        config = _read_config(input_dict, exec_properties)
        pairs = choose_split_pairs(
            statistics,
            baseline,
            exec_properties.get(INCLUDE_SPLIT_PAIRS_KEY),
            content="statistics",
            same_name=True,
        )
        anomalies.split_names = splits.encode_split_names([pair_name(pair) for pair in pairs])
        anomalies.span = statistics.span
        blessed, summary = {}, []
        for pair in pairs:
            name = pair_name(pair)
            found = self._compare(statistics, baseline, pair, config)
            write_anomalies(os.path.join(anomalies.uri, f"SplitPair-{name}"), found.anomalies)
            blessed[name] = NOT_BLESSED_VALUE if found.is_anomalous else BLESSED_VALUE
            summary.append(f"{name}: {found.summary}")
            _logger.log(
                logging.WARNING if found.is_anomalous else logging.INFO,
                "Splits %s: %s",
                name,
                found.summary,
            )
        anomalies.set_json_value_custom_property(ARTIFACT_PROPERTY_BLESSED_KEY, blessed)
        anomalies.set_string_custom_property(SUMMARY_KEY, f"drift in {'; '.join(summary)}")
        return output_with("anomalies", anomalies)

    def _compare(
        self,
        statistics: Artifact,
        baseline: Artifact,
        pair: SplitPair,
        config: distribution_validator_pb2.DistributionValidatorConfig,
    ) -> Any:
        # The protos of statistics are not imported by a run that finds this node cached.
        from trainwright.components.distribution_validator.comparison import compare_statistics

        return compare_statistics(
            _read(statistics, pair[0]), _read(baseline, pair[1]), config.default_slice_config
        )


def _read(artifact: Artifact, split: str) -> statistics_pb2.DatasetFeatureStatisticsList:
    from trainwright.schemas.statistics_file import read_statistics

    return read_statistics(splits.get_split_uri([artifact], split))


def _read_config(
    input_dict: ArtifactDict, exec_properties: Mapping[str, Any]
) -> distribution_validator_pb2.DistributionValidatorConfig:
    """The config, from the properties or from an artifact."""
    given = exec_properties.get("distribution_validator_config")
    artifacts = input_dict.get("artifact_distribution_validator_config")
    if given is not None and artifacts:
        raise ValueError(
            "artifact_distribution_validator_config and distribution_validator_config are "
            "provided at the same time."
        )
    if artifacts:
        return load_config_from_artifact(get_single_instance(artifacts))
    if given is None:
        raise ValueError("There is no distribution_validator_config that says what to compare.")
    if isinstance(given, str):
        return proto_json.json_to_proto(
            given, distribution_validator_pb2.DistributionValidatorConfig()
        )
    assert isinstance(given, distribution_validator_pb2.DistributionValidatorConfig)
    return given


def load_config_from_artifact(
    config_artifact: Artifact,
) -> distribution_validator_pb2.DistributionValidatorConfig:
    """The config in the only file of an artifact, which holds it in binary form."""
    with open(get_only_uri_in_dir(config_artifact.uri), "rb") as file:
        return distribution_validator_pb2.DistributionValidatorConfig.FromString(file.read())
