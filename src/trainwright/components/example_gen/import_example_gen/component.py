"""ImportExampleGen: takes over examples from TFRecord files."""

from __future__ import annotations

from typing import ClassVar

from trainwright.components.example_gen.component import (
    FileBasedExampleGen,
    InputBase,
    InputConfig,
    OutputConfig,
    RangeConfig,
    takes_older_arguments_for_files,
)
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import example_gen_pb2
from trainwright.types.runtime_parameter import RuntimeParameter


class ImportExampleGen(FileBasedExampleGen):
    """Reads TFRecord files, gzip or plain, and writes the records into splits, as they are.

    The split of a tf.Example or tf.SequenceExample does not depend on how it was serialized: TFX
    puts it into the same. Every checksum is verified.

    Args:
        input_base: The directory of the TFRecord files.
        input_config: Which files are which input split: `Input`, a dict or JSON. By default all
            files are one split. Patterns may have a span and a version in them.
        output_config: Into which splits one input split is divided, by hash buckets or by a
            partition feature. By default two thirds train, one third eval.
        range_config: Which span to take, if not the latest: `RangeConfig`, a dict or JSON.
        payload_format: What the records are: `FORMAT_TF_EXAMPLE`, `FORMAT_TF_SEQUENCE_EXAMPLE`, or
            `FORMAT_PROTO` for anything else.
        max_bad_records: Up to this many damaged records are skipped, logged with file and byte,
            and counted in the artifact's property `bad_records`; one more fails the node. Where a
            length is damaged or a file is cut off, the rest of the file is lost: that counts once.

    Example:
        ```python
        example_gen = ImportExampleGen(
            input_base="exported",
            input_config={"splits": [
                {"name": "train", "pattern": "train-*"}, {"name": "eval", "pattern": "eval-*"}]},
        )
        ```
    """

    STORED_TYPE_NAME: ClassVar[str] = (
        "tfx.components.example_gen.import_example_gen.component.ImportExampleGen"
    )

    EXECUTOR_SPEC = ExecutorClassSpec(
        "trainwright.components.example_gen.import_example_gen.executor:Executor"
    )

    @takes_older_arguments_for_files
    def __init__(
        self,
        input_base: InputBase = None,
        input_config: InputConfig = None,
        output_config: OutputConfig = None,
        range_config: RangeConfig = None,
        payload_format: int = example_gen_pb2.FORMAT_TF_EXAMPLE,
        *,
        max_bad_records: int | RuntimeParameter = 0,
    ) -> None:
        super().__init__(
            input_base=input_base,
            input_config=input_config,
            output_config=output_config,
            range_config=range_config,
            output_data_format=payload_format,
            max_bad_records=max_bad_records,
        )
