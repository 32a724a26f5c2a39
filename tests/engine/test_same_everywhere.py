"""Byte-equal artifacts from the local engine, Beam and Ray."""

import json
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("same_everywhere.py")


def test_what_components_make_does_not_depend_on_the_engine(ray_cluster, tmp_path):
    pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")
    ray = f"ray://{ray_cluster.address}"
    engines = [
        "local://?processes=1",
        "beam://?runner=InMemoryRunner",
        f"{ray}?processes=2",
        f"{ray}?processes=2&filesystem=own",
    ]
    finished = ray_cluster.run([str(SCRIPT), str(tmp_path), *engines], timeout=300)
    made = json.loads(finished.stdout.splitlines()[-1])
    assert set(made) == set(engines)
    for engine in engines[1:]:
        assert made[engine] == made[engines[0]], engine
