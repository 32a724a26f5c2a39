"""Runs of `sums.py` on the Ray cluster of the tests, and what becomes of them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from store_audit import audit, find_repeated  # noqa: E402

PATIENCE_SECONDS = 60.0
LEASE_SECONDS = 5.0


class RayRuns:
    """The runs of one pipeline.

    Args:
        cluster: The cluster of `ray_cluster.py`.
        directory: Where the pipeline root, the notes of the nodes and the output of the runs are.
        servers: Of `servers.py`, which keep the metadata, and the artifacts if there is a bucket.
        bucket: Where the pipeline root is, if not in the directory.
        settings: Arguments of the pipeline.
    """

    def __init__(
        self, cluster, directory: Path, servers=None, bucket: str = "", **settings: object
    ) -> None:
        self.cluster = cluster
        self.servers = servers
        self.root = f"{bucket}/root" if bucket else directory / "root"
        self.notes = directory / "notes"
        self.notes.mkdir(exist_ok=True)
        self.output = directory / "output.txt"
        self.settings = {"root": str(self.root), "notes": str(self.notes), **settings}
        self.environment = {"TRAINWRIGHT_CACHE_DIR": str(directory / "cache")}
        if servers is not None:
            self.settings["store"] = servers.do("make_store")
            self.environment |= servers.environment

    def start(self) -> subprocess.Popen:
        options = {"address": self.cluster.address, "lease_seconds": LEASE_SECONDS}
        return self.start_with([str(HERE / "sums.py"), *map(json.dumps, [options, self.settings])])

    def start_command(self) -> subprocess.Popen:
        """The same by `trainwright run`."""
        settings = [f"--set={name}={value}" for name, value in self.settings.items()]
        ray = ["--runner", "ray", "--address", self.cluster.address]
        return self.start_with(["-m", "trainwright", "run", str(HERE / "sums.py"), *ray, *settings])

    def start_with(self, command: list[str]) -> subprocess.Popen:
        with open(self.output, "ab") as output:
            options = {"stdout": output, "stderr": output}
            return self.cluster.start(command, env=self.environment, **options)

    def finish(self, patience: float = PATIENCE_SECONDS) -> str:
        """Runs the pipeline to its end; returns what was told of it."""
        before = len(self.text)
        process = self.start()
        assert process.wait(patience) == 0, self.text
        assert self.audit() == []
        return self.text[before:]

    def audit(self) -> list[str]:
        """What is half made, lost, left over or was published twice."""
        if self.servers is not None:
            return self.servers.do("audit", self.settings["store"], str(self.root))
        return audit(self.root) + find_repeated(self.root / "metadata.db")

    @property
    def text(self) -> str:
        return self.output.read_text() if self.output.exists() else ""

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Waits until something was told."""
        return self._wait(lambda: re.search(pattern, self.text))

    def wait_for_life(self, *, besides: frozenset[int] = frozenset()) -> tuple[int, int]:
        """Waits until the slow node is at work; its process and its actor, as the cluster sees
        them."""
        found = self._wait(lambda: [one for one in self.lives() if one[0] not in besides])
        return found[0]

    def lives(self) -> list[tuple[int, int]]:
        names = [path.name.split("-") for path in self.notes.glob("alive-*")]
        return [(int(pid), int(actor)) for _, pid, actor in names]

    def is_at_work(self, life: tuple[int, int]) -> bool:
        path = self.notes / f"alive-{life[0]}-{life[1]}"
        before = path.stat().st_size
        time.sleep(0.5)
        return path.stat().st_size > before

    def _wait(self, look):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (found := look()):
            assert time.monotonic() < deadline, self.text
            time.sleep(0.05)
        return found
