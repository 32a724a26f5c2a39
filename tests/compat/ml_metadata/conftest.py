import pytest

import ml_metadata as mlmd
from ml_metadata.proto import metadata_store_pb2
from trainwright.metadata.connection import open_store


@pytest.fixture(params=["in memory", "a store of Trainwright"])
def store(request):
    """An empty store of each kind: both keep what ML Metadata's interface promises."""
    if request.param == "in memory":
        config = metadata_store_pb2.ConnectionConfig()
        config.fake_database.SetInParent()
    else:
        config = request.getfixturevalue("own_config")
    return mlmd.MetadataStore(config)


@pytest.fixture
def sqlite_config(tmp_path):
    config = metadata_store_pb2.ConnectionConfig()
    config.sqlite.filename_uri = str(tmp_path / "metadata.db")
    return config


@pytest.fixture
def own_config(sqlite_config):
    """An empty store of Trainwright in a file."""
    open_store(sqlite_config.sqlite.filename_uri).close()
    return sqlite_config
