"""Converts Avro files into an Examples artifact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trainwright._imports import require
from trainwright.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor


class Executor(BaseExampleGenExecutor):
    """Makes a tf.Example of each record of Avro files, with fastavro.

    Integers become int64 features, floats float, strings and bytes bytes; a null or an empty array
    is a feature without a value. Install fastavro with `pip install 'trainwright[avro]'`.

    Example:
        ```python
        example_gen = FileBasedExampleGen(
            input_base="exported", custom_executor_spec=ExecutorClassSpec(avro_executor.Executor)
        )
        ```
    """

    REPLACES_BEAM = True
    BEAM_SOURCE = "AvroToExample"
    REQUIRED_MODULES = {"fastavro": "pip install 'trainwright[avro]'"}

    def read_examples(
        self, files: Sequence[str], exec_properties: Mapping[str, Any]
    ) -> Iterator[Any]:
        fastavro = require("fastavro", extra="avro")
        for path in files:
            with open(path, "rb") as file:
                try:
                    records = fastavro.reader(file)
                except ValueError as error:
                    raise ValueError(
                        f"{path} cannot be read as Avro: {error}. If it is not a data file, name "
                        "the others: "
                        "input_config={'splits': [{'name': 'all', 'pattern': '*.avro'}]}."
                    ) from error
                yield from records
