"""WorkerProcess: the engine's side of one worker."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import IO, cast

from trainwright.engine.forked_process import ForkedProcess
from trainwright.engine.messages import Kind, receive, send
from trainwright.engine.passes import PassSpec, Shard

_SECONDS_TO_END = 10
# Each process has a core: TensorFlow, which would take all of them, takes one.
_SHARED_CORES = {"TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1"}


class WorkerProcess:
    """A process that takes one shard at a time: a fresh interpreter, or a fork of this process.

    Not started by multiprocessing: that would import a user's script again, or fork threads.

    Args:
        preload: Modules that a fresh interpreter imports first.
        fork: Whether to fork; see `ForkedProcess` for when that may be done.
    """

    def __init__(self, preload: Sequence[str] = (), *, fork: bool = False) -> None:
        self._spec: PassSpec | None = None
        self.process: subprocess.Popen[bytes] | ForkedProcess
        if fork:
            self.process = ForkedProcess(_SHARED_CORES)
        else:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "trainwright.engine.worker", *preload],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                env=_environment(),
            )
        self._requests = cast(IO[bytes], self.process.stdin)
        self.replies = cast(IO[bytes], self.process.stdout)

    def start(self, spec: PassSpec, shard: Shard) -> None:
        """Hands over a shard; of a process that is gone already, `receive` will tell."""
        if spec is not self._spec:
            self._send(Kind.PASS, json.dumps(spec.to_json()).encode())
            self._spec = spec
        self._send(Kind.SHARD, json.dumps(shard.to_json()).encode())

    def receive(self) -> tuple[Kind, bytes] | None:
        """The next message, waiting for it; None if the process has died."""
        return receive(self.replies.fileno())

    def close(self) -> None:
        """Lets the process end by itself, if it does so soon."""
        with contextlib.suppress(BrokenPipeError):
            self._requests.close()
        try:
            self.process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._release()

    def kill(self) -> None:
        self.process.kill()
        with contextlib.suppress(BrokenPipeError):
            self._requests.close()
        self._release()

    def describe_death(self) -> str:
        """How the process died, after `receive` has told that it did."""
        try:
            status = self.process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        if status < 0:
            return (
                f"its process {self.process.pid} was killed by {signal.Signals(-status).name}. "
                "Systems do that when memory runs out: try fewer processes"
            )
        return (
            f"its process {self.process.pid} ended with exit status {status}. What it wrote to "
            "stderr says why"
        )

    def _send(self, kind: Kind, body: bytes) -> None:
        with contextlib.suppress(BrokenPipeError):
            send(self._requests.fileno(), kind, body)

    def _release(self) -> None:
        self.process.wait()
        self.replies.close()


def _environment() -> dict[str, str]:
    """The environment in which a new interpreter finds the modules that this one finds."""
    search_path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    return {
        **_SHARED_CORES,
        **os.environ,
        "PYTHONPATH": search_path,
        # Python 3.11: the working directory is not searched before what is listed above.
        "PYTHONSAFEPATH": "1",
    }
