"""Makes two small data sets, and writes TFDV's statistics, schema and anomalies for them.

`ragged/` has nested, ragged, struct, unicode and binary features, `odd/` NaN, infinities, limits
of integers, and columns that are empty, new or of another type in the second split. The layout is
TFX's; `TrainSchemaDiff.pb` holds a split against the schema of the first split alone.

Run it with a Python that has tensorflow-data-validation 1.16.1:
`python tests/schemas/golden/make_golden_sets.py`
"""

from __future__ import annotations

import math
from pathlib import Path

import pyarrow as pa
from google.protobuf import text_format
from tensorflow_data_validation.statistics import stats_impl
from tensorflow_metadata.proto.v0 import statistics_pb2

import tensorflow_data_validation as tfdv

HERE = Path(__file__).parent

RAGGED = {
    "train": {
        "square": [[[1, 2], [3, 4]]] * 6,
        "ragged": [[[1], [2, 3]], [[4]], [[]], [[5, 6, 7]], [[8]], [[9]]],
        "words": [["å", "漢字"], ["b"], None, ["å"], ["c", "c"], ["b"]],
        "binary": [[b"\xff\xfe"], [b"\x00"], [b"a"], [b"\xff"], [b"b"], [b"c"]],
        "trip": [[{"miles": [1.5], "stops": ["a", "b"]}]] * 3 + [[{"miles": [2.5]}]] * 3,
    },
    "eval": {
        "square": [[[1, 2], [3, 4]]] * 3,
        "ragged": [[[1, 2, 3, 4]], [[2]], None],
        "words": [["d"], [], ["å"]],
        "binary": [[b"x"], [b"y"], None],
        "trip": [[{"miles": [1.5], "stops": ["z"]}]] * 3,
    },
}
ODD = {
    "train": {
        "floats": [[math.nan], [math.inf], [-math.inf], [0.5], [1.0], [0.0]],
        "limits": [[-(2**63)], [2**63 - 1], [0], [1], [2], [3]],
        "bits": [[0], [1], [1], [0], [1], [1]],
        "words": [["true"], ["false"], ["true"], ["true"], ["true"], ["false"]],
        "digits": [["1"], ["22"], ["-3"], ["4"], ["5"], ["6"]],
        "empty": [None] * 6,
        "changes": [[1]] * 6,
        "gone": [[1]] * 6,
    },
    "eval": {
        "floats": [[0.5], [1.5], [2.5]],
        "limits": [[1], [2], [3]],
        "bits": [[0], [2], [1]],
        "words": [["true"], ["perhaps"], ["false"]],
        "digits": [["1"], ["two"], ["3"]],
        "empty": [["now"], ["there"], ["is"]],
        "changes": [["one"]] * 3,
        "new": [[1.5], None, [2.5]],
    },
}


def measure(columns: dict[str, list]) -> statistics_pb2.DatasetFeatureStatisticsList:
    batch = pa.RecordBatch.from_pydict({name: pa.array(rows) for name, rows in columns.items()})
    return stats_impl.generate_statistics_in_memory(batch, tfdv.StatsOptions())


def main() -> None:
    for name, splits in (("ragged", RAGGED), ("odd", ODD)):
        statistics = {split: measure(columns) for split, columns in splits.items()}
        first = tfdv.infer_schema(statistics["train"])
        schema = tfdv.update_schema(first, statistics["eval"])
        directory = HERE / name
        directory.mkdir(exist_ok=True)
        text = text_format.MessageToString(schema, as_utf8=True)
        (directory / "schema.pbtxt").write_text(text, encoding="utf-8")
        for split, measured in statistics.items():
            target = directory / f"Split-{split}"
            target.mkdir(exist_ok=True)
            anomalies = tfdv.validate_statistics(measured, schema)
            against_first = tfdv.validate_statistics(measured, first)
            for file_name, message in (
                ("FeatureStats.pb", measured),
                ("SchemaDiff.pb", anomalies),
                ("TrainSchemaDiff.pb", against_first),
            ):
                (target / file_name).write_bytes(message.SerializeToString())


if __name__ == "__main__":
    main()
