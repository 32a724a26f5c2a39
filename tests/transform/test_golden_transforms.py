"""Transforms beside what tf.Transform on Beam gave once; test_transform_reference.py runs it anew.

`python tests/transform/make_transform_golden.py` writes the files of `golden/`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

from battery import CASES  # noqa: E402
from transform_data import records_of, write_shards  # noqa: E402
from transform_results import Result, assert_same, run_ours  # noqa: E402

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", ["objects", "phases", "sample", "sequences"])
def test_a_transform_gives_what_it_gave_on_beam(name, tmp_path):
    case = CASES[name]
    paths = write_shards(records_of(case.schema), tmp_path, case.shards)
    found = run_ours(case.function, paths, tmp_path, schema=case.schema)
    expected = Result.from_json((GOLDEN / f"{name}.json").read_text())
    assert_same(found, expected, tolerances=case.tolerances, rounded_files=case.rounded_files)
