"""Kills a process with SIGKILL when a given number of lines of our code has been run.

Python imports this by itself when its directory is on PYTHONPATH, in the runner and in the zygotes,
whose forks inherit the trace. Lines are counted over all processes of a run, in a shared file.
"""

import mmap
import os
import signal
import sys

_SETTINGS = os.environ.get("TRAINWRIGHT_TEST_KILL")


def _watch(counter_path: str, kill_at: int, files: tuple[str, ...]) -> None:
    with open(counter_path, "r+b") as file:
        counter = mmap.mmap(file.fileno(), 8)

    def count_line(frame, event, argument):
        if event == "line":
            count = int.from_bytes(counter[:8], "little") + 1
            counter[:8] = count.to_bytes(8, "little")
            if count == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
        return count_line

    def trace(frame, event, argument):
        return count_line if frame.f_code.co_filename.endswith(files) else None

    sys.settrace(trace)


if _SETTINGS:
    _path, _kill_at, *_files = _SETTINGS.split(":")
    _watch(_path, int(_kill_at), tuple(_files))
