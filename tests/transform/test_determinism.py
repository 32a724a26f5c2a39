"""The same files in the same order give the same transform graph, whoever reads them."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

from battery import handful  # noqa: E402
from transform_data import encode, make_rows, write_shards  # noqa: E402
from transform_results import assert_same, run_ours  # noqa: E402

from trainwright.engine.local_engine import LocalEngine  # noqa: E402


@pytest.fixture(scope="module")
def many_paths(tmp_path_factory):
    """Enough rows that sketches of quantiles, and of frequent tokens, have forgotten some."""
    records = [encode(row) for row in make_rows(3000, seed=5)]
    return write_shards(records, tmp_path_factory.mktemp("many"), shards=5)


@pytest.fixture(scope="module")
def alone(many_paths, tmp_path_factory):
    return run_ours(handful, many_paths, tmp_path_factory.mktemp("alone"))


def test_a_rerun_gives_the_same(alone, many_paths, tmp_path):
    assert_same(run_ours(handful, many_paths, tmp_path), alone, tolerance=0)


def test_processes_give_the_same(alone, many_paths, tmp_path):
    with LocalEngine(2, inline_bytes=-1, preload=["tensorflow_transform"]) as engine:
        together = run_ours(handful, many_paths, tmp_path, engine=engine)
    assert_same(together, alone, tolerance=0)


def test_buckets_have_about_the_same_size(alone):
    buckets = np.bincount([row["y"][0] for row in alone.rows.values()], minlength=7)
    assert len(buckets) == 7
    assert abs(buckets / buckets.sum() - 1 / 7).max() <= 2 * 0.01 + 1e-3
