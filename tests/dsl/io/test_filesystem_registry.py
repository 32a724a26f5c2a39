"""A registered filesystem is what `fileio` uses for its schemes."""

import io

import pytest

from trainwright.dsl.io import fileio, filesystem_registry, io_utils
from trainwright.dsl.io.filesystem import Filesystem, LocalFilesystem
from trainwright.dsl.io.filesystem_registry import FilesystemRegistry


class MemoryFilesystem(Filesystem):
    """Files in a dict."""

    SUPPORTED_SCHEMES = ("memory://", "gs://")
    files: dict[str, bytes]

    @staticmethod
    def open(name, mode="r"):
        return _File(name) if "w" in mode else io.BytesIO(MemoryFilesystem.files[name])

    @staticmethod
    def exists(path):
        return path in MemoryFilesystem.files


class _File(io.BytesIO):
    def __init__(self, name):
        super().__init__()
        self._name = name

    def close(self):
        MemoryFilesystem.files[self._name] = self.getvalue()
        super().close()


@pytest.fixture
def memory(monkeypatch):
    registry = FilesystemRegistry()
    registry.register(LocalFilesystem, priority=5)
    registry.register(MemoryFilesystem, priority=0)
    monkeypatch.setattr(fileio, "DEFAULT_FILESYSTEM_REGISTRY", registry)
    MemoryFilesystem.files = {"memory://a": b"content"}
    return MemoryFilesystem.files


def test_paths_go_to_the_filesystem_of_their_scheme(memory):
    assert fileio.exists("memory://a")
    assert not fileio.exists("memory://b")
    assert fileio.open("memory://a", "rb").read() == b"content"


def test_files_are_copied_from_one_filesystem_to_another(memory, tmp_path):
    local = str(tmp_path / "local")
    fileio.copy("memory://a", local)
    assert fileio.open(local).read() == "content"
    fileio.copy(local, "memory://b")
    assert memory["memory://b"] == b"content"
    with pytest.raises(FileExistsError, match="already exists"):
        fileio.copy(local, "memory://b")


def test_a_remote_file_is_copied_to_a_local_one_where_a_local_one_is_needed(memory, tmp_path):
    memory["gs://bucket/module.py"] = b"x = 1"
    local = io_utils.ensure_local("gs://bucket/module.py")
    assert local.endswith("/module.py")
    assert fileio.open(local).read() == "x = 1"


def test_a_rename_does_not_cross_filesystems(memory, tmp_path):
    with pytest.raises(ValueError, match="on another filesystem"):
        fileio.rename("memory://a", str(tmp_path / "a"))


def test_an_operation_that_a_filesystem_lacks_is_named(memory):
    with pytest.raises(NotImplementedError, match=r"no rmtree\(\)"):
        fileio.rmtree("memory://a")


def test_a_scheme_without_a_filesystem_says_how_to_get_one():
    with pytest.raises(ValueError, match="'hdfs://' is not available for use.*tensorflow_gfile"):
        fileio.exists("hdfs://bucket/a")
    with pytest.raises(ValueError, match="is not available for use"):
        FilesystemRegistry().get_filesystem_for_path("/tmp")


def test_the_lowest_number_comes_first_and_one_may_take_the_rest():
    registry = FilesystemRegistry()
    registry.register(LocalFilesystem, priority=20)
    registry.register(MemoryFilesystem, priority=10, use_as_fallback=True)
    assert registry.get_filesystem_for_path(b"other://x") is MemoryFilesystem
    assert registry.get_filesystem_for_path("/x") is LocalFilesystem
    with pytest.raises(ValueError, match="Invalid path type"):
        registry.get_filesystem_for_path(3)


def test_importing_tensorflows_filesystem_registers_nothing():
    from trainwright.compat.io.tensorflow_gfile import TensorflowFilesystem

    registry = filesystem_registry.DEFAULT_FILESYSTEM_REGISTRY
    assert registry.get_filesystem_for_path("/x") is LocalFilesystem
    assert "gs://" in TensorflowFilesystem.SUPPORTED_SCHEMES
    with pytest.raises(ValueError, match="only local paths are supported"):
        fileio.exists("hdfs://bucket/a")


def test_text_becomes_a_file():
    assert fileio.open(fileio.get_inline_filename("straße")).read() == "straße"
