"""What the executors of ExampleGens share: their properties, and what they note of the result."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainwright.components.example_gen import split_config
from trainwright.components.example_gen.driver import (
    INPUT_FILES,
    INPUT_FINGERPRINT,
    SPAN,
    VERSION,
    FileBasedExampleGenDriver,
)
from trainwright.components.example_validator.executor import SUMMARY_KEY
from trainwright.proto import example_gen_pb2, proto_json
from trainwright.types.artifact import Artifact
from trainwright.types.payload_format import FILE_FORMAT, set_payload_format
from trainwright.types.splits import encode_split_names
from trainwright.types.standard_component_specs import (
    INPUT_CONFIG_KEY,
    MAX_BAD_RECORDS_KEY,
    OUTPUT_CONFIG_KEY,
    OUTPUT_DATA_FORMAT_KEY,
)

if TYPE_CHECKING:
    from trainwright.data.examples_output import WrittenExamples
    from trainwright.data.splits import HashSplits

BAD_RECORDS = "bad_records"

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Request:
    """The properties of an execution, read and completed.

    Args:
        exec_properties: The properties, with what the driver finds out.
        input_config: The input splits, with spans and versions filled in.
        output_config: The output splits; without any, those of the input are kept.
    """

    exec_properties: Mapping[str, Any]
    input_config: example_gen_pb2.Input
    output_config: example_gen_pb2.Output

    @classmethod
    def read(cls, exec_properties: dict[str, Any]) -> Request:
        if INPUT_FILES not in exec_properties:  # called by hand, without a driver
            exec_properties = FileBasedExampleGenDriver().resolve_exec_properties(exec_properties)
        input_config = proto_json.json_to_proto(
            exec_properties[INPUT_CONFIG_KEY], example_gen_pb2.Input()
        )
        output_config = split_config.make_output_config(
            input_config, exec_properties[OUTPUT_CONFIG_KEY]
        )
        return cls(
            exec_properties=exec_properties,
            input_config=input_config,
            output_config=output_config,
        )

    @property
    def input_files(self) -> Mapping[str, list[str]]:
        files: Mapping[str, list[str]] = self.exec_properties[INPUT_FILES]
        return files

    @property
    def payload_format(self) -> int:
        return int(self.exec_properties[OUTPUT_DATA_FORMAT_KEY])

    @property
    def max_bad_records(self) -> int:
        return int(self.exec_properties.get(MAX_BAD_RECORDS_KEY) or 0)

    @property
    def split_names(self) -> list[str]:
        return split_config.output_split_names(self.input_config, self.output_config)

    @property
    def hash_splits(self) -> HashSplits | None:
        """How rows are divided; None keeps the input's own splits."""
        from trainwright.data.splits import HashSplits

        config = self.output_config.split_config
        if not config.splits:
            return None
        return HashSplits(
            buckets=tuple((split.name, split.hash_buckets) for split in config.splits),
            partition_feature=config.partition_feature_name or None,
        )

    def describe(self, examples: Artifact) -> None:
        """Notes on the artifact what TFX notes: splits, span, version, formats."""
        properties = self.exec_properties
        examples.split_names = encode_split_names(self.split_names)
        examples.set_int_custom_property(SPAN, properties[SPAN])
        if properties[VERSION] is not None:
            examples.set_int_custom_property(VERSION, properties[VERSION])
        examples.set_string_custom_property("input_fingerprint", properties[INPUT_FINGERPRINT])
        examples.set_string_custom_property(FILE_FORMAT, "tfrecords_gzip")
        set_payload_format(examples, self.payload_format)

    def describe_written(self, examples: Artifact, written: WrittenExamples) -> None:
        """Like `describe`; also says how much was written, what was left out, what looks wrong."""
        remarks = list(written.remarks)
        for name, count in written.rows.items():
            _logger.info("Split %s: %d examples in %d files", name, count, written.shards[name])
            if not count:
                remarks.append(f"Split {name} is empty.")
        for remark in remarks:
            _logger.warning("%s", remark)
        if remarks:
            examples.set_string_custom_property(SUMMARY_KEY, "\n".join(remarks))
        self.describe(examples)
        examples.set_int_custom_property(BAD_RECORDS, written.bad_records)
        if written.bad_records:
            _logger.warning(
                "%d bad records were skipped; %d are allowed.",
                written.bad_records,
                self.max_bad_records,
            )
