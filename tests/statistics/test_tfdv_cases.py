"""tensorflow_data_validation, ours, beside TFDV 1.16.1 on what programs do with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from google.protobuf import text_format
from proto_comparison import by_path, differences
from tensorflow_metadata.proto.v0 import anomalies_pb2, statistics_pb2
from tfdv_cases import CASES

import tensorflow_data_validation as tfdv

GOLDEN = Path(__file__).parent / "tfdv_golden"


@pytest.mark.parametrize("name", CASES)
def test_the_result_is_tfdvs(name, tmp_path):
    found = CASES[name](tfdv, tmp_path)
    if isinstance(found, str):
        assert json.loads(found) == json.loads((GOLDEN / f"{name}.json").read_text())
        return
    expected = text_format.Parse((GOLDEN / f"{name}.pbtxt").read_text(), type(found)())
    if isinstance(found, statistics_pb2.DatasetFeatureStatisticsList):
        assert differences(by_path(found), by_path(expected)) == []
    elif isinstance(found, anomalies_pb2.Anomalies):
        assert dict(found.anomaly_info) == dict(expected.anomaly_info)
    else:
        assert found == expected
