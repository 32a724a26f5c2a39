"""An S3 server for all tests of object stores, and `memory://`; a bucket for each test."""

from __future__ import annotations

import os
import shutil

import pytest
from object_store import ObjectStore

from trainwright.storage import stores


@pytest.fixture(scope="session")
def s3_server():
    with ObjectStore() as server:
        yield server


@pytest.fixture
def s3(s3_server, monkeypatch):
    """The address of an empty bucket on the server, which the environment leads to."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in s3_server.environment.items():
        monkeypatch.setenv(name, value)
    return f"s3://{s3_server.create_bucket()}"


@pytest.fixture
def memory(request):
    """The address of an empty `memory://` bucket."""
    bucket = f"test-{os.getpid()}-{abs(hash(request.node.nodeid))}"
    yield f"memory://{bucket}"
    shutil.rmtree(stores.memory_directory(bucket), ignore_errors=True)


@pytest.fixture(params=["memory", "s3"])
def bucket(request):
    """An empty bucket of each kind of store."""
    return request.getfixturevalue(request.param)
