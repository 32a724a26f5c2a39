"""A command that runs one process of a prepared node, for launchers that only start commands.

`NodeRequest.command` has its arguments, `NodeRequest.encode` what it reads from standard input. It
says nothing: its log, and its result or error, are in the files that the request names. It ends
when its standard input is closed, because then whoever has launched it is gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
import threading
from typing import NoReturn


def main() -> NoReturn:
    """Reads a request, performs it, and ends with 0 if all went well, else with 1."""
    request_pipe = os.dup(0)
    with open(request_pipe, "rb", closefd=False) as stream:
        header = json.loads(stream.readline())
        payload = stream.read(header["payload_bytes"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # user code does not get hold of the request
    with contextlib.suppress(OSError):  # it leads its group already
        os.setsid()
    threading.Thread(target=_end_with, args=(request_pipe,), daemon=True).start()
    sys.path[:] = header["sys_path"]
    if not os.path.isdir(header["work_directory"]):
        sys.exit(
            f"The work directory of the node, {header['work_directory']}, is not on "
            f"{socket.gethostname()}: this command runs where the files of the run's machine are "
            "seen under the same paths."
        )

    from trainwright.orchestration.execution.worker import run_in_this_process
    from trainwright.orchestration.publishing.plain_files import open_plain

    # Nobody listens: a worker that cannot say its result leaves it in files.
    ours, theirs = socket.socketpair()
    theirs.close()
    log_fd = open_plain(header["log_path"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    code = 1
    try:
        code = run_in_this_process(header, payload, ours.detach(), log_fd)
    finally:
        os._exit(code)


def _end_with(request_pipe: int) -> None:
    """Ends this process and what it has started when the other end of its input is closed."""
    while os.read(request_pipe, 4096):
        pass
    os.killpg(os.getpgid(0), signal.SIGKILL)


if __name__ == "__main__":
    main()
