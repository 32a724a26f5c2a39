"""Validates each split's statistics and writes the anomalies, in a proto and in words."""

from __future__ import annotations

import logging
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
from trainwright.dsl.base_executor import SUMMARY_KEY, ArtifactDict, BaseExecutor
from trainwright.dsl.io.io_utils import get_only_uri_in_dir
from trainwright.schemas.schema_file import read_schema
from trainwright.types import splits
from trainwright.types.artifact_utils import get_single_instance
from trainwright.types.split_selection import choose_splits

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import anomalies_pb2

_logger = logging.getLogger(__name__)


class Executor(BaseExecutor):
    """Writes `Split-<name>/SchemaDiff.pb` for each split."""

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> Any:
        from trainwright.schemas.anomaly_report import summarize_anomalies
        from trainwright.schemas.statistics_file import read_statistics
        from trainwright.schemas.validation import validate_statistics

        refuse_custom_validations(exec_properties.get(CUSTOM_VALIDATION_CONFIG_KEY))
        statistics = get_single_instance(input_dict["statistics"])
        schema = read_schema(get_only_uri_in_dir(get_single_instance(input_dict["schema"]).uri))
        output = get_single_instance(output_dict["anomalies"])
        names = choose_splits(statistics, exec_properties)
        output.split_names = splits.encode_split_names(names)
        output.span = statistics.span
        blessed, summary = {}, {}
        for split in names:
            split_statistics = read_statistics(splits.get_split_uri([statistics], split))
            anomalies = validate_statistics(split_statistics, schema)
            write_anomalies(splits.get_split_uri([output], split), anomalies)
            _log_anomalies(split, anomalies)
            is_well = not anomalies.anomaly_info and not anomalies.HasField("dataset_anomaly_info")
            blessed[split] = BLESSED_VALUE if is_well else NOT_BLESSED_VALUE
            summary[split] = summarize_anomalies(anomalies)
        output.set_json_value_custom_property(ARTIFACT_PROPERTY_BLESSED_KEY, blessed)
        in_words = "; ".join(f"{split}: {found}" for split, found in summary.items())
        output.set_string_custom_property(SUMMARY_KEY, f"anomalies in {in_words}")
        self.context.report_progress({"anomalies in": in_words})
        return output_with("anomalies", output)


def _log_anomalies(split: str, anomalies: anomalies_pb2.Anomalies) -> None:
    from trainwright.schemas.anomaly_report import anomaly_table, list_anomalies

    found = list_anomalies(anomalies)
    if anomalies.data_missing:
        _logger.warning("Split %s has no examples: nothing was validated.", split)
    elif found:
        _logger.warning(
            "The data of split %s does not fit the schema, %d %s:\n%s",
            split,
            len(found),
            "anomaly" if len(found) == 1 else "anomalies",
            anomaly_table(found),
        )
    else:
        _logger.info("The data of split %s fits the schema.", split)
