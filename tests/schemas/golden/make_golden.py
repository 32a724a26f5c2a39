"""Writes what TFDV makes of `schema_cases.py` into `expected/`.

Run it with a Python that has tensorflow-data-validation 1.16.1:
`python tests/schemas/golden/make_golden.py`
"""

from __future__ import annotations

from pathlib import Path

import schema_cases as cases
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

import tensorflow_data_validation as tfdv

EXPECTED = Path(__file__).parent / "expected"


def parse_statistics(text: str | None) -> statistics_pb2.DatasetFeatureStatisticsList | None:
    if text is None:
        return None
    statistics = statistics_pb2.DatasetFeatureStatisticsList()
    text_format.Parse(cases.with_examples(text), statistics.datasets.add())
    return statistics


def write(name: str, message) -> None:
    text = text_format.MessageToString(message, as_utf8=True)
    (EXPECTED / f"{name}.pbtxt").write_text(text, encoding="utf-8")


def main() -> None:
    for path in EXPECTED.glob("*.pbtxt"):
        path.unlink()
    for name, case in cases.INFERENCE.items():
        statistics = parse_statistics(case.statistics)
        schema = tfdv.infer_schema(statistics)
        write(f"infer-{name}", schema)
        flat = tfdv.infer_schema(statistics, infer_feature_shape=False)
        write(f"infer-{name}-without-shapes", flat)
        if case.update is not None:
            write(f"update-{name}", tfdv.update_schema(schema, parse_statistics(case.update)))
    for name, case in cases.VALIDATION.items():
        anomalies = tfdv.validate_statistics(
            parse_statistics(case.statistics),
            text_format.Parse(case.schema, schema_pb2.Schema()),
            environment=case.environment,
            previous_statistics=parse_statistics(case.previous),
            serving_statistics=parse_statistics(case.serving),
        )
        anomalies.ClearField("baseline")
        write(f"validate-{name}", anomalies)


if __name__ == "__main__":
    main()
