"""Computes the statistics of each split of an Examples artifact."""

from __future__ import annotations

import dataclasses
import json
import logging
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor
from trainwright.dsl.io.io_utils import get_only_uri_in_dir
from trainwright.types import json_utils, splits
from trainwright.types.artifact import Artifact
from trainwright.types.artifact_utils import get_single_instance
from trainwright.types.split_selection import choose_splits
from trainwright.types.standard_component_specs import (
    EXAMPLES_KEY,
    SCHEMA_KEY,
    STATISTICS_KEY,
    STATS_OPTIONS_JSON_KEY,
)

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import statistics_pb2

    from trainwright.engine.engine import Engine
    from trainwright.statistics.stats_options import StatsOptions

_logger = logging.getLogger(__name__)

# TFX's names: the file of a split; a property of what is written; one of the examples, with a file
# pattern by split for files that do not lie in directories of that name.
DEFAULT_FILE_NAME = "FeatureStats.pb"
STATS_DASHBOARD_LINK = "stats_dashboard_link"
SAMPLE_RATE_BY_SPLIT_PROPERTY_NAME = "sample_rate_by_split"
_CUSTOM_SPLIT_PATTERN = "custom_split_pattern"


class Executor(BaseExecutor):
    """Writes `Split-<name>/FeatureStats.pb` for each split."""

    STREAMED_INPUTS = (EXAMPLES_KEY,)

    REPLACES_BEAM = True

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        from trainwright.engine.choice import open_engine

        examples = get_single_instance(input_dict[EXAMPLES_KEY])
        statistics = get_single_instance(output_dict[STATISTICS_KEY])
        if exec_properties.get("sharded_stats_output"):
            raise ValueError(
                "Sharded output requested but not supported. Statistics of a split are one file."
            )
        patterns = _split_patterns(examples)
        names = choose_splits(
            examples,
            exec_properties,
            content="examples",
            refuse_unknown=True,
            names=list(patterns) or None,
        )
        options = _read_options(input_dict, exec_properties)
        rates = _sample_rates(names, options, exec_properties)
        statistics.split_names = splits.encode_split_names(names)
        statistics.span = examples.span
        statistics.set_json_value_custom_property(
            SAMPLE_RATE_BY_SPLIT_PROPERTY_NAME,
            json_utils.dumps({name: rate or 1.0 for name, rate in rates.items()}),
        )
        done = 0
        with open_engine(self.context.engine) as engine:
            for name in names:
                pattern = patterns.get(name) or os.path.join(splits.split_directory(name), "*")
                split_options = dataclasses.replace(options, sample_rate=rates[name])
                result = self._generate(examples, name, pattern, split_options, engine, done)
                done += result.datasets[0].num_examples
                _write(splits.get_split_uri([statistics], name), result)

    def _generate(
        self,
        examples: Artifact,
        split: str,
        pattern: str,
        options: StatsOptions,
        engine: Engine,
        done: int,
    ) -> statistics_pb2.DatasetFeatureStatisticsList:
        # Arrow and NumPy are not imported by a run that finds this node cached.
        from trainwright.data.example_reading.example_files import ExampleFiles, find_files
        from trainwright.statistics.generate import generate_statistics

        files = find_files(examples.uri, pattern)
        result = generate_statistics(
            ExampleFiles.of_artifacts([examples], files),
            options,
            engine=engine,
            report_progress=lambda read: self.context.report_progress({"examples": done + read}),
        )
        found = result.datasets[0].num_examples
        if not found:
            _logger.warning(
                "Split %s has no examples: %s in %s is %s.", split, pattern, examples.uri, files
            )
        _logger.info("Split %s: %d examples in %d files", split, found, len(files))
        return result


def _split_patterns(examples: Artifact) -> dict[str, str]:
    """The file patterns by split of examples that say so themselves; of most there are none."""
    encoded = examples.get_string_custom_property(_CUSTOM_SPLIT_PATTERN)
    return dict(json.loads(encoded)) if encoded else {}


def _sample_rates(
    names: list[str], options: StatsOptions, exec_properties: dict[str, Any]
) -> Mapping[str, float | None]:
    """The part of each split that is looked at: its own, or that of the options."""
    encoded = exec_properties.get(SAMPLE_RATE_BY_SPLIT_PROPERTY_NAME)
    own = (json_utils.loads(encoded) if encoded else None) or {}
    for name in own.keys() - set(names):
        _logger.error("Split %s provided in sample_rate_by_split is not valid.", name)
    return {name: own.get(name, options.sample_rate) for name in names}


def _read_options(input_dict: ArtifactDict, exec_properties: dict[str, Any]) -> StatsOptions:
    from trainwright.schemas.schema_file import read_schema
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
