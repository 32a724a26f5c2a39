import pytest

from trainwright.testing.store_contract import MetadataStoreContract


class TestSqliteStore(MetadataStoreContract):
    @pytest.fixture
    def store_url(self, tmp_path):
        return f"sqlite:///{tmp_path}/metadata.db"
