"""TransformPass: raw examples to transformed ones, a file for each file."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from tensorflow_metadata.proto.v0 import schema_pb2
from tensorflow_transform import impl_helper
from tfx_bsl.coders import example_coder

from trainwright.data.tfrecord import open_gzip_writer
from trainwright.engine.passes import MappingPass, ReportUnits, Shard
from trainwright.transform.graph_function import GraphFunction
from trainwright.transform.raw_examples import RawExamples


class TransformPass(MappingPass):
    """Applies a transform graph to examples and writes the results as gzip TFRecords.

    A shard's config has the path of a file and, as `output`, that of the file to write.

    Args:
        function_directory: The SavedModel of the transform graph.
        examples: `RawExamples` as JSON.
        schema: That of the transformed examples, serialized, in base64.
    """

    def __init__(self, function_directory: str, examples: Mapping[str, Any], schema: str) -> None:
        self._function_directory = function_directory
        self._examples = RawExamples.from_json(examples)
        self._schema = schema_pb2.Schema.FromString(base64.b64decode(schema))
        self._loaded: GraphFunction | None = None

    @property
    def _function(self) -> GraphFunction:
        if self._loaded is None:
            self._loaded = GraphFunction(self._function_directory, self._examples)
        return self._loaded

    def write(self, shard: Shard, report: ReportUnits) -> Mapping[str, Any]:
        converter = impl_helper.make_tensor_to_arrow_converter(self._schema)
        encoder = example_coder.RecordBatchToExamplesEncoder(self._schema)
        examples = 0
        with open_gzip_writer(shard.config["output"]) as write:
            for rows, outputs in self._function.batches(shard.config["path"], report):
                records = encoder.encode(converter.convert(outputs))
                if len(records) != rows:
                    raise ValueError(
                        f"{rows} examples became {len(records)}. Expected preprocessing_fn to give "
                        "one value, or one row of values, for each example."
                    )
                write(records)
                examples += rows
        return {"examples": examples}
