"""The last used store, as it is remembered for the command line."""

import pytest

from trainwright.orchestration import last_store


@pytest.fixture(autouse=True)
def state_home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def test_nothing_is_remembered_at_first():
    assert last_store.recall() is None


def test_sqlite_store_by_its_absolute_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    last_store.remember("sqlite:///metadata.db")
    assert last_store.recall() == f"sqlite:///{tmp_path}/metadata.db"


def test_postgresql_store_without_its_password(state_home):
    last_store.remember(
        "postgresql://user:hunter2@host:5432/db?sslmode=require&sslpassword=hunter2"
    )
    assert last_store.recall() == "postgresql://user@host:5432/db?sslmode=require"
    for path in state_home.rglob("*"):
        assert path.is_dir() or "hunter2" not in path.read_text()


def test_home_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    last_store.remember("sqlite:///metadata.db")
    assert last_store.recall() is None
