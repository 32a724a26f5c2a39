"""Rows in files, for all tests of transforms."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def rows():
    pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")
    from transform_data import make_rows

    return make_rows()


@pytest.fixture(scope="session")
def paths(rows, tmp_path_factory):
    """Three files of rows and one without any."""
    from transform_data import encode, write_shards

    return write_shards([encode(row) for row in rows], tmp_path_factory.mktemp("rows"))
