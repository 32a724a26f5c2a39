"""Computes the statistics of each split of an Examples artifact."""

from __future__ import annotations

import dataclasses
import glob
import logging
import os
from typing import TYPE_CHECKING, Any

from trainwright.components.schema_gen.statistics_splits import choose_splits
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor
from trainwright.dsl.io.io_utils import get_only_uri_in_dir
from trainwright.types import splits
from trainwright.types.artifact import Artifact
from trainwright.types.artifact_utils import get_single_instance
from trainwright.types.payload_format import get_payload_format
from trainwright.types.standard_component_specs import (
    EXAMPLES_KEY,
    SCHEMA_KEY,
    STATISTICS_KEY,
    STATS_OPTIONS_JSON_KEY,
)

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import statistics_pb2

    from trainwright.statistics.stats_options import StatsOptions

_logger = logging.getLogger(__name__)


class Executor(BaseExecutor):
    """Writes `Split-<name>/FeatureStats.pb` for each split."""

    REPLACES_BEAM = True

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        examples = get_single_instance(input_dict[EXAMPLES_KEY])
        statistics = get_single_instance(output_dict[STATISTICS_KEY])
        names = choose_splits(examples, exec_properties, content="examples", refuse_unknown=True)
        options = _read_options(input_dict, exec_properties)
        statistics.split_names = splits.encode_split_names(names)
        statistics.span = examples.span
        done = 0
        for name in names:
            result = self._generate(examples, name, options, done)
            done += result.datasets[0].num_examples
            _write(splits.get_split_uri([statistics], name), result)

    def _generate(
        self, examples: Artifact, split: str, options: StatsOptions, done: int
    ) -> statistics_pb2.DatasetFeatureStatisticsList:
        # Arrow and NumPy are not imported by a run that finds this node cached.
        from trainwright.statistics.generate import generate_statistics

        directory = splits.get_split_uri([examples], split)
        files = sorted(glob.glob(os.path.join(glob.escape(directory), "*")))
        result = generate_statistics(
            files,
            options,
            payload_format=get_payload_format(examples),
            report_progress=lambda read: self.context.report_progress({"examples": done + read}),
        )
        found = result.datasets[0].num_examples
        if not found:
            _logger.warning("Split %s has no examples: %s has %s.", split, directory, files)
        _logger.info("Split %s: %d examples in %d files", split, found, len(files))
        return result


def _read_options(input_dict: ArtifactDict, exec_properties: dict[str, Any]) -> StatsOptions:
    from trainwright.components.schema_gen.schema_file import read_schema
    from trainwright.statistics.stats_options import StatsOptions

    encoded = exec_properties.get(STATS_OPTIONS_JSON_KEY)
    options = StatsOptions.from_json(encoded) if encoded else StatsOptions()
    schemas = input_dict.get(SCHEMA_KEY)
    if not schemas:
        return options
    if options.schema is not None:
        raise ValueError(
            "A schema was provided as an input and the stats_options exec_property also contains "
            "a schema value. At most one of these may be set."
        )
    schema = read_schema(get_only_uri_in_dir(get_single_instance(schemas).uri))
    return dataclasses.replace(options, schema=schema)


def _write(directory: str, result: statistics_pb2.DatasetFeatureStatisticsList) -> None:
    from trainwright.schemas.statistics_file import STATISTICS_FILE_NAME

    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, STATISTICS_FILE_NAME), "wb") as file:
        file.write(result.SerializeToString(deterministic=True))
