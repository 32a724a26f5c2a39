"""The request of an ExampleGen: its properties, and what is noted of the result."""

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
    FileBasedDriver,
    QueryBasedDriver,
)
from trainwright.components.example_gen.input_files import (
    check_each_split_has_files,
    check_input_base,
)
from trainwright.components.example_gen.input_processor import has_span_placeholder
from trainwright.components.example_gen.span_patterns import SpanPattern
from trainwright.dsl.base_executor import SUMMARY_KEY
from trainwright.dsl.remote_files import local_files
from trainwright.proto import example_gen_pb2, proto_json
from trainwright.types.artifact import Artifact
from trainwright.types.payload_format import (
    DEFAULT_PAYLOAD_FORMAT,
    FILE_FORMAT,
    set_payload_format,
)
from trainwright.types.splits import encode_split_names
from trainwright.types.standard_component_specs import (
    INPUT_BASE_KEY,
    INPUT_CONFIG_KEY,
    MAX_BAD_RECORDS_KEY,
    OUTPUT_CONFIG_KEY,
    OUTPUT_DATA_FORMAT_KEY,
)

if TYPE_CHECKING:
    from trainwright.data.example_writing.examples_output import WrittenExamples
    from trainwright.data.example_writing.splits import HashSplits

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
    def read(cls, exec_properties: dict[str, Any], *, needs_files: bool = True) -> Request:
        """Reads the properties, and does the driver's part where they come without one.

        Args:
            exec_properties: The properties, of a run or of a call by hand.
            needs_files: Whether the executor reads the files that the driver finds. A Beam
                transform finds its own; then only spans in patterns are resolved.
        """
        if SPAN not in exec_properties and (needs_files or _has_spans(exec_properties)):
            if exec_properties.get(INPUT_BASE_KEY):
                exec_properties = FileBasedDriver().resolve_exec_properties(dict(exec_properties))
            else:
                exec_properties = QueryBasedDriver().resolve_exec_properties(dict(exec_properties))
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
        """The files of each input split; for queries, the query in their place.

        Objects in a store are fetched: the paths are those of copies on this machine.

        Raises:
            MissingInputError: if a split has no files.
        """
        if INPUT_FILES not in self.exec_properties:
            return {split.name: [split.pattern] for split in self.input_config.splits}
        files: Mapping[str, list[str]] = self.exec_properties[INPUT_FILES]
        input_base = self.exec_properties[INPUT_BASE_KEY]
        if not all(files.values()):
            check_input_base(input_base)
        check_each_split_has_files(input_base, self.input_config, files)
        return {name: local_files(paths, self.exec_properties) for name, paths in files.items()}

    @property
    def payload_format(self) -> int:
        return int(self.exec_properties.get(OUTPUT_DATA_FORMAT_KEY) or DEFAULT_PAYLOAD_FORMAT)

    @property
    def max_bad_records(self) -> int:
        return int(self.exec_properties.get(MAX_BAD_RECORDS_KEY) or 0)

    @property
    def split_names(self) -> list[str]:
        return split_config.output_split_names(self.input_config, self.output_config)

    @property
    def hash_splits(self) -> HashSplits | None:
        """How rows are divided; None keeps the input's own splits."""
        from trainwright.data.example_writing.splits import HashSplits

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
        for name in (SPAN, VERSION):
            if properties.get(name) is not None:
                examples.set_int_custom_property(name, properties[name])
        if properties.get(INPUT_FINGERPRINT):
            examples.set_string_custom_property(INPUT_FINGERPRINT, properties[INPUT_FINGERPRINT])
        is_parquet = self.payload_format == example_gen_pb2.FORMAT_PARQUET
        file_format = "FILE_FORMAT_PARQUET" if is_parquet else "tfrecords_gzip"
        examples.set_string_custom_property(FILE_FORMAT, file_format)
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


def _has_spans(exec_properties: Mapping[str, Any]) -> bool:
    config = split_config.make_input_config(exec_properties[INPUT_CONFIG_KEY])
    if exec_properties.get(INPUT_BASE_KEY):
        return any(SpanPattern.parse(split.pattern).chooses_span for split in config.splits)
    return any(has_span_placeholder(split.pattern) for split in config.splits)
