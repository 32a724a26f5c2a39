"""Infers one schema from the statistics of all splits."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any

from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor
from trainwright.schemas.schema_file import SCHEMA_FILE_NAME, write_schema
from trainwright.types.artifact_utils import get_single_instance
from trainwright.types.split_selection import choose_splits
from trainwright.types.splits import get_split_uri

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

_logger = logging.getLogger(__name__)

# The name under which TFX's users know it.
DEFAULT_FILE_NAME = SCHEMA_FILE_NAME


class Executor(BaseExecutor):
    """Writes `schema.pbtxt`."""

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        from trainwright.schemas.statistics_file import read_statistics

        statistics = get_single_instance(input_dict["statistics"])
        wants_shapes = exec_properties.get("infer_feature_shape")
        wants_shapes = True if wants_shapes is None else bool(wants_shapes)
        schema = None
        for split in choose_splits(statistics, exec_properties):
            split_statistics = read_statistics(get_split_uri([statistics], split))
            if not any(dataset.num_examples for dataset in split_statistics.datasets):
                # All features would count as gone.
                _logger.warning("Split %s has no examples; the schema does not see it.", split)
                continue
            schema = _fit(schema, split, split_statistics, wants_shapes)
        if schema is None:
            raise ValueError(
                f"There is no schema to infer: no split of {statistics._brief()} has examples. "
                "Look at the input of the ExampleGen and at its split_config."
            )
        path = os.path.join(get_single_instance(output_dict["schema"]).uri, SCHEMA_FILE_NAME)
        write_schema(path, schema)
        self.context.report_progress({"features": len(schema.feature)})
        _logger.info("Schema of %d features written to %s", len(schema.feature), path)


def _fit(
    schema: schema_pb2.Schema | None,
    split: str,
    statistics: statistics_pb2.DatasetFeatureStatisticsList,
    wants_shapes: bool,
) -> schema_pb2.Schema:
    from trainwright.schemas.differences import diff_schemas
    from trainwright.schemas.inference import infer_schema, update_schema

    if schema is None:
        _logger.info("Inferring a schema from split %s", split)
        return infer_schema(statistics, wants_shapes)
    updated = update_schema(schema, statistics)
    for difference in diff_schemas(schema, updated):
        _logger.info(
            "Split %s made a difference: %s %s: %s",
            split,
            difference.name,
            difference.kind,
            difference.text,
        )
    return updated
