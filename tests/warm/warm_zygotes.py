"""Zygotes that tests start in no time: forks of a process that has imported TensorFlow.

Importing it takes five seconds of a processor, and every run of a script or command does so once
more. Here a warm process does so for all runs of a test process that have the same environment, as
far as TensorFlow reads it, and is forked for each zygote. Everything else about a zygote is its
own: its arguments, `sys.path`, environment, directory, session and descriptors.

`LENDING` names a directory and the process that lends: the warm processes listen there, and end
with it. Where it is not set, or no TensorFlow is wanted, zygotes are started as always.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import select
import selectors
import signal
import socket
import subprocess
import sys
import time

LENDING = "TRAINWRIGHT_TESTS_WARM_ZYGOTES"
ENTRY = "trainwright.orchestration.launching.zygote:main"
HERE = os.path.dirname(os.path.abspath(__file__))
# What TensorFlow and Python read when they start.
READ_AT_START = (
    *("TF_", "KERAS_", "XLA_", "GRPC_", "OMP_", "LD_", "CUDA_", "COVERAGE_"),
    *("PYTHONHASHSEED", "PYTHONUTF8", "PYTHONMALLOC"),
)
IS_PATH = "PYTHONPATH"

_started = []


def lend(patch, directory):
    """Has the pools of this process start warm zygotes while the patch holds."""
    from trainwright.orchestration.launching import worker_pool

    patch.setenv(LENDING, f"{os.getpid()}:{directory}")
    patch.setattr(worker_pool.WorkerPool, "_start_zygote", worker_pool.WorkerPool._start_zygote)
    adapt(worker_pool)


def lend_to_scripts(patch):
    """Has the processes that are started from here do so, too: their Python imports
    sitecustomize.py, which is beside this file."""
    patch.setenv(IS_PATH, python_path(HERE))


def python_path(*first):
    """A value of PYTHONPATH: these directories before those that are on it."""
    return os.pathsep.join(filter(None, [*map(str, first), os.environ.get(IS_PATH)]))


def adapt(worker_pool):
    """Makes the zygotes of all pools of this process warm ones."""
    start_cold = worker_pool.WorkerPool._start_zygote

    def start(pool, preload, environment):
        lending = os.environ.get(LENDING)
        is_other_user = os.geteuid() != os.getuid()
        if not lending or not pool.CAN_FORK or is_other_user or "tensorflow" not in preload:
            return start_cold(pool, preload, environment)
        return start_zygote(worker_pool, pool, preload, environment, lending)

    worker_pool.WorkerPool._start_zygote = start


def start_zygote(worker_pool, pool, preload, environment, lending):
    """What a pool does for a zygote, with a warm process in the place of a new interpreter."""
    child = object.__new__(worker_pool.Child)
    child.socket, theirs = socket.socketpair()
    with theirs:
        child._process = WarmProcess(
            theirs,
            {
                "arguments": [preload, True],
                "sys_path": [os.path.abspath(entry) for entry in sys.path],
                "environment": {**os.environ, **environment},
                "directory": os.getcwd(),
                "dont_write_bytecode": sys.dont_write_bytecode,
            },
            lending,
        )
    started = worker_pool._ZygoteProcess(child, worker_pool.MessageBuffer(child.socket), True)
    pool._selector.register(child.socket, selectors.EVENT_READ, started)
    return started


class WarmProcess:
    """A fork of a warm process; like `subprocess.Popen`, as far as a child needs it."""

    def __init__(self, theirs, request, lending):
        self._connection = connect(request["environment"], lending)
        self._pid = self._status = None
        self._received = b""
        socket.send_fds(self._connection, [json.dumps(request).encode() + b"\n"], [theirs.fileno()])

    @property
    def pid(self):
        while self._pid is None and self._status is None:
            self._read(None)
        return self._pid

    def poll(self):
        while self._status is None and self._read(0):
            pass
        return self._status

    def wait(self, timeout=None):
        end = None if timeout is None else time.monotonic() + timeout
        while self._status is None:
            left = None if end is None else max(0, end - time.monotonic())
            if not self._read(left):
                raise subprocess.TimeoutExpired("a warm zygote", timeout)
        return self._status

    def send_signal(self, number):
        # One that is not forked yet finds its socket closed.
        self.poll()
        if self._pid is not None and self._status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, number)
        elif self._pid is None:
            self._status = -number
            self._connection.close()

    def _read(self, timeout):
        """Takes in what the warm process says, its id and how it ended; False if nothing came."""
        if not select.select([self._connection], [], [], timeout)[0]:
            return False
        read = self._connection.recv(4096)
        self._received += read
        *lines, self._received = self._received.split(b"\n")
        for line in lines:
            name, number = line.split()
            if name == b"pid":
                self._pid = int(number)
            else:
                self._status = int(number)
        if not read and self._status is None:
            self._status = -signal.SIGKILL  # with the warm process
        return True


def connect(environment, lending):
    """Connects to the warm process for an environment; starts it if there is none."""
    lender, _, directory = lending.partition(":")
    read = {name: of for name, of in environment.items() if name.startswith(READ_AT_START)}
    flags = [flag for flag in subprocess._args_from_interpreter_flags() if flag != "-B"]
    key = json.dumps([sys.executable, flags, sorted(read.items())])
    path = os.path.join(directory, hashlib.sha256(key.encode()).hexdigest()[:16])
    connection = socket.socket(socket.AF_UNIX)
    with contextlib.suppress(FileNotFoundError):
        connection.connect(path)
        return connection
    # It listens at once and answers when it has imported: nobody waits here.
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen(64)
    source = "from trainwright.processes.entry import main; import sys; main(sys.argv[1:])"
    server = subprocess.Popen(
        [
            *(sys.executable, *flags, "-c", source),
            *("warm_server:serve", str(listening.fileno()), json.dumps([int(lender)]), "0"),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[listening.fileno()],
        env={**environment, IS_PATH: os.pathsep.join([HERE, *filter(None, sys.path)])},
        cwd=HERE,
        start_new_session=True,
    )
    _started.append(server)  # which outlives this process
    listening.close()
    connection.connect(path)
    return connection
