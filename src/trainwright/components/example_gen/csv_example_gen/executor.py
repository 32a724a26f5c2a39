"""Converts CSV files into an Examples artifact."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from trainwright.components.example_gen import split_config
from trainwright.components.example_gen.driver import (
    INPUT_FILES,
    INPUT_FINGERPRINT,
    FileBasedExampleGenDriver,
)
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor
from trainwright.proto import example_gen_pb2, proto_json
from trainwright.types.payload_format import FILE_FORMAT, set_payload_format

if TYPE_CHECKING:
    from trainwright.data.splits import HashSplits

_logger = logging.getLogger(__name__)


class Executor(BaseExecutor):
    """Reads, types, encodes and splits; see `trainwright.data.csv_to_examples`."""

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        # Arrow and NumPy are not imported by a run that finds this node cached.
        from trainwright.data.csv_to_examples import convert_csv_to_examples

        if INPUT_FILES not in exec_properties:  # called by hand, without a driver
            exec_properties = FileBasedExampleGenDriver().resolve_exec_properties(exec_properties)
        input_config = proto_json.json_to_proto(
            exec_properties["input_config"], example_gen_pb2.Input()
        )
        output_config = split_config.make_output_config(
            input_config, exec_properties["output_config"]
        )
        examples = output_dict["examples"][0]
        converted = convert_csv_to_examples(
            exec_properties[INPUT_FILES],
            examples.uri,
            output_splits=_hash_splits(output_config),
            report_progress=lambda rows: self.context.report_progress({"rows": rows}),
        )
        for name, count in converted.rows.items():
            _logger.info("Split %s: %d examples in %d files", name, count, converted.shards[name])
            if not count:
                _logger.warning("Split %s is empty.", name)
        examples.splits = split_config.output_split_names(input_config, output_config)
        examples.set_int_custom_property("span", 0)
        examples.set_string_custom_property("input_fingerprint", exec_properties[INPUT_FINGERPRINT])
        examples.set_string_custom_property(FILE_FORMAT, "tfrecords_gzip")
        set_payload_format(examples, exec_properties["output_data_format"])


def _hash_splits(output_config: example_gen_pb2.Output) -> HashSplits | None:
    """How rows are divided; None keeps the input's own splits."""
    from trainwright.data.splits import HashSplits

    config = output_config.split_config
    if not config.splits:
        return None
    return HashSplits(
        buckets=tuple((split.name, split.hash_buckets) for split in config.splits),
        partition_feature=config.partition_feature_name or None,
    )
