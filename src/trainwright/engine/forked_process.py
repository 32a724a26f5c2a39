"""ForkedProcess: a worker that is a fork of this process, with all that it has imported."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import time
import traceback
from typing import IO

from trainwright.engine import worker

_SECONDS_BETWEEN_LOOKS = 0.01


class ForkedProcess:
    """Like `subprocess.Popen`, as far as a worker needs it.

    Whoever forks must have started no threads and used no library that has: a fork has only the
    thread that made it.

    Args:
        environment: Variables that are set in the fork.
    """

    def __init__(self, environment: dict[str, str]) -> None:
        requests_end, requests = os.pipe()
        replies, replies_end = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            _be_worker(requests_end, replies_end, environment)
        os.close(requests_end)
        os.close(replies_end)
        self.stdin: IO[bytes] = os.fdopen(requests, "wb", buffering=0)
        self.stdout: IO[bytes] = os.fdopen(replies, "rb", buffering=0)
        self._status: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, negative for a signal; raises TimeoutExpired if it takes longer."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._status is None:
            pid, status = os.waitpid(self.pid, 0 if deadline is None else os.WNOHANG)
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
            elif deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(f"fork {self.pid}", timeout or 0)
            else:
                time.sleep(_SECONDS_BETWEEN_LOOKS)
        return self._status

    def kill(self) -> None:
        if self._status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)


def _be_worker(requests: int, replies: int, environment: dict[str, str]) -> None:
    """Never returns: what the forked program would have done next is not for the fork to do."""
    status = 1
    try:
        os.dup2(requests, 0)
        os.dup2(replies, 1)
        # Not held on to: other workers' pipes, whose ends tell them that the parent is gone.
        os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        os.environ.update(environment)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        worker.main()
        status = 0
    except BrokenPipeError:
        pass
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
