import pytest
from tfx_shaped_store import write

from trainwright.compat.mlmd_import.import_file import import_file
from trainwright.compat.mlmd_import.source_file import open_mlmd_file
from trainwright.metadata.connection import open_store


@pytest.fixture
def mlmd_file(tmp_path):
    """Two runs of a pipeline as TFX writes them; their files are below `root`."""
    path = tmp_path / "tfx" / "metadata.db"
    path.parent.mkdir()
    write(path, tmp_path / "root")
    return path


@pytest.fixture
def bring_over(tmp_path):
    """Imports a file into a new store; returns the open store and the summary."""
    opened = []

    def import_(path, store=None):
        store = open_store(store or str(tmp_path / "new.db"))
        opened.append(store)
        with open_mlmd_file(str(path)) as file:
            return store, import_file(store, file)

    yield import_
    for store in opened:
        store.close()
