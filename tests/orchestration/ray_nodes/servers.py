"""PostgreSQL and an S3 server in the network namespace of a Ray cluster, which can be away.

    with Servers.started(ray_cluster) as servers:
        servers.do("freeze_objects")

Whatever asks them runs in the namespace as well, so their process also audits what they hold.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Servers:
    """Servers that do what they are told.

    Args:
        process: Theirs; it ends them when its standard input is closed.
        environment: What leads a process to the objects.
    """

    process: subprocess.Popen[str]
    environment: dict[str, str]

    @classmethod
    @contextlib.contextmanager
    def started(cls, cluster: Any) -> Iterator[Servers]:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        process = cluster.start([__file__], **pipes)
        try:
            yield cls(process, json.loads(process.stdout.readline()))
        finally:
            process.stdin.close()
            process.wait(60)

    def do(self, what: str, *arguments: str) -> Any:
        """Calls a method of `_Keeper`, and waits until it is done."""
        self.process.stdin.write(json.dumps([what, *arguments]) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer["value"]


class _Keeper:
    def __init__(self, metadata: Any, objects: Any) -> None:
        self._metadata = metadata
        self._objects = objects

    def make_store(self) -> str:
        """The URL of an empty metadata store."""
        return self._metadata.create_database() + "?connect_timeout=2"

    def make_bucket(self) -> str:
        return f"s3://{self._objects.create_bucket(f'bucket-{uuid.uuid4().hex[:8]}')}"

    def freeze_metadata(self, seconds: str) -> None:
        self._metadata.freeze()
        time.sleep(float(seconds))
        self._metadata.thaw()

    def kill_metadata(self, seconds: str) -> None:
        self._metadata.kill()
        time.sleep(float(seconds))
        self._metadata.start()

    def freeze_objects(self, seconds: str) -> None:
        self._objects.freeze()
        time.sleep(float(seconds))
        self._objects.thaw()

    def audit(self, store: str, root: str) -> list[str]:
        """What is not as it should be, once nothing runs any more."""
        from store_audit import audit, audit_objects, find_repeated

        if "://" not in root:
            return audit(Path(root), store) + find_repeated(store)
        return audit_objects(store, root) + find_repeated(store)

    def uploads_after_gc(self, store: str, root: str, pipeline: str) -> str:
        """What S3 lists of abandoned uploads when the rest was collected; empty if nothing."""
        from trainwright import open_store
        from trainwright.orchestration.cleanup.garbage import collect, plan_collection
        from trainwright.storage import uris

        with open_store(store) as opened:
            collect(opened, plan_collection(opened, pipeline, keep=1))
        listed = self._objects.uploads(uris.split(root).bucket)
        return listed if "<UploadId>" in listed else ""


def _serve() -> None:
    from object_store import ObjectStore

    from trainwright.testing.postgres_server import PostgresServer

    with PostgresServer() as metadata, ObjectStore() as objects:
        os.environ.update(objects.environment)
        os.environ["TRAINWRIGHT_CACHE_DIR"] = tempfile.mkdtemp(prefix="copies-")
        print(json.dumps(objects.environment), flush=True)
        keeper = _Keeper(metadata, objects)
        for line in sys.stdin:
            what, *arguments = json.loads(line)
            try:
                answer = {"value": getattr(keeper, what)(*arguments)}
            except Exception as error:
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent)]
    _serve()
