"""BeamExtractors: TFMA's extractors, applied to a batch of examples by Beam in this process.

TFMA's extractors are Beam transforms of extracts: of dicts that hold a batch, at first as an Arrow
record batch alone, to which one extractor after the other adds features, labels and predictions.
The number of its row goes along with each example, so that it does not matter in what order, and in
how many parts, Beam gives them back.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from trainwright._imports import require
from trainwright.components.evaluator.extracts import ROW, Extracts, merge_extracts
from trainwright.data.example_reading.arrow_decoding import make_decoder
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.proto import example_gen_pb2

# TFMA's names.
_RECORD_BATCH = "arrow_record_batch"
_RAW_RECORDS = "__raw_record__"
# The last of its default extractors: they take batches apart and find slices, which is done here.
_LEFT_OUT = ("ExtractUnbatchedInputs", "ExtractSliceKeys")

# What Beam reads and writes, by the number of a run: it shares this process's memory.
_batches: dict[int, Extracts] = {}
_gathered: dict[int, list[Extracts]] = {}
_runs = itertools.count()


class BeamExtractors:
    """A chain of extractors.

    Args:
        extractors: TFMA's `Extractor`s, with `stage_name` and `ptransform`.
        examples: How records are decoded, as tf.Examples by default; without a schema, the decoder
            finds out which features there are.

    Raises:
        ModuleNotFoundError: Beam or tfx-bsl is not installed; the message says how to install it.
    """

    def __init__(self, extractors: Sequence[Any], examples: ExampleFiles | None = None) -> None:
        self._decoder = make_decoder(examples or ExampleFiles())
        self._extractors = list(extractors)
        while self._extractors and self._extractors[-1].stage_name in _LEFT_OUT:
            self._extractors.pop()

    def extract(self, records: Sequence[bytes]) -> Extracts:
        """All that the extractors made of a batch of serialized examples, in their order."""
        beam = require("apache_beam", extra="beam")
        runner = require("apache_beam.runners.portability.fn_api_runner", extra="beam")
        number = next(_runs)
        _batches[number], _gathered[number] = self._decode(records), []
        try:
            with beam.Pipeline(runner=runner.FnApiRunner()) as pipeline:
                extracts = pipeline | beam.Create([number]) | "Read" >> beam.Map(_read)
                for extractor in self._extractors:
                    extracts = extracts | extractor.stage_name >> extractor.ptransform
                _ = extracts | "Gather" >> beam.Map(_gather, number)
            return merge_extracts(_gathered[number], len(records))
        finally:
            del _batches[number], _gathered[number]

    def _decode(self, records: Sequence[bytes]) -> Extracts:
        """A batch as TFMA's first extractor expects it, with the records themselves."""
        import pyarrow as pa

        decoded = self._decoder.DecodeBatch(list(records))
        raw = pa.LargeListArray.from_arrays(
            pa.array(np.arange(len(records) + 1), pa.int64()),
            pa.array(records, pa.large_binary()),
        )
        names = [*decoded.schema.names, _RAW_RECORDS]
        batch = pa.RecordBatch.from_arrays([*decoded.columns, raw], names)
        return {_RECORD_BATCH: batch, ROW: np.arange(len(records))[:, np.newaxis]}


def make_tensor_adapter_config(examples: ExampleFiles) -> Any:
    """What TFX gives to `custom_extractors`: how tensors are made of features or of a DataView."""
    tfxio = require("tfx_bsl.public.tfxio", extra="transform")
    adapter = require("tfx_bsl.tfxio.tensor_adapter", extra="transform")
    common: dict[str, Any] = {"file_pattern": "", "raw_record_column_name": _RAW_RECORDS}
    if examples.data_view is not None:
        views = require("tfx_bsl.tfxio.record_to_tensor_tfxio", extra="transform")
        source = views.TFRecordToTensorTFXIO(
            saved_decoder_path=examples.data_view, telemetry_descriptors=["evaluator"], **common
        )
    elif examples.record_format == example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE:
        source = tfxio.TFSequenceExampleRecord(schema=examples.schema, **common)
    else:
        source = tfxio.TFExampleRecord(schema=examples.schema, **common)
    return adapter.TensorAdapterConfig(source.ArrowSchema(), source.TensorRepresentations())


def is_beam_extractor(extractor: Any) -> bool:
    """Whether it is one of TFMA's."""
    return hasattr(extractor, "stage_name") and hasattr(extractor, "ptransform")


def _read(number: int) -> Any:
    return dict(_batches[number])


def _gather(extracts: Extracts, number: int) -> None:
    _gathered[number].append(extracts)
