import pytest

import ml_metadata as mlmd
from ml_metadata.proto import metadata_store_pb2


@pytest.fixture
def store():
    config = metadata_store_pb2.ConnectionConfig()
    config.fake_database.SetInParent()
    return mlmd.MetadataStore(config)


@pytest.fixture
def sqlite_config(tmp_path):
    config = metadata_store_pb2.ConnectionConfig()
    config.sqlite.filename_uri = str(tmp_path / "metadata.db")
    return config
