"""TransformPass: raw examples to transformed ones, a file for each file."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from tensorflow_metadata.proto.v0 import schema_pb2
from tensorflow_transform import impl_helper

from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.passes import MappingPass, ReportUnits, Shard
from trainwright.transform.graph_function import load_function
from trainwright.transform.transformed_files import open_transformed_file


class TransformPass(MappingPass):
    """Applies a transform graph to examples and writes the results, a file for each file.

    A shard's config has the path of a file and, as `output`, that of the file to write, whose
    ending says what it becomes.

    Args:
        function_directory: The SavedModel of the transform graph.
        examples: `ExampleFiles` as JSON.
        schema: That of the transformed examples, serialized, in base64.
    """

    def __init__(self, function_directory: str, examples: Mapping[str, Any], schema: str) -> None:
        self._function_directory = function_directory
        self._examples = ExampleFiles.from_json(examples)
        self._schema = schema_pb2.Schema.FromString(base64.b64decode(schema))

    def write(self, shard: Shard, report: ReportUnits) -> Mapping[str, Any]:
        function = load_function(self._function_directory, self._examples)
        converter = impl_helper.make_tensor_to_arrow_converter(self._schema)
        examples = 0
        with open_transformed_file(
            shard.config["output"], self._schema, converter.arrow_schema()
        ) as write:
            for rows, outputs in function.batches(shard.config["path"], report):
                written = write(converter.convert(outputs))
                if written != rows:
                    raise ValueError(
                        f"{rows} examples became {written}. Expected preprocessing_fn to give "
                        "one value, or one row of values, for each example."
                    )
                examples += rows
        return {"examples": examples}
