"""Child: a process of ours, started afresh or forked, with a socket to it.

Not started by multiprocessing: that would import a user's script again, or fork threads.
"""

from __future__ import annotations

import functools
import json
import os
import queue
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from trainwright.processes.entry import call_entry

# What `python -c` runs; its arguments are sys.path and those of `main`. The working directory,
# which is on the path of `-c`, may hold a json.py that is not Python's.
_BOOTSTRAP = (
    "import sys; sys.path[:] = filter(None, sys.path);"
    " import json; sys.path[:] = json.loads(sys.argv[1]);"
    " from trainwright.processes.entry import main; main(sys.argv[2:])"
)
_SECONDS_TO_END = 10
_SECONDS_BETWEEN_LOOKS = 0.01
_HINTS: dict[int, str] = {
    signal.SIGKILL: "Systems do that when memory runs out: try fewer processes",
    signal.SIGSEGV: "A native library crashed",
    signal.SIGABRT: "A native library gave up, and may have said why on stderr",
}


class Child:
    """A process that calls a function with its end of a socket, and ends when that returns.

    It finds the modules that this process finds, ignores Ctrl-C (which reaches the whole process
    group: the parent decides what happens then), and reads nothing from stdin. What it prints goes
    to this process' stderr.

    A process whose function returns at the end of the stream outlives its parent by what it is
    doing just then. On Linux it is killed at once, whichever thread has started it; a fork only if
    that was the main thread.

    Args:
        entry: `"module:function"`, to be called with the socket and the arguments.
        arguments: Positional arguments, as JSON.
        environment: Variables that are set in the process.
        fork: Whether it is a fork of this process, with all that it has imported. Whoever forks
            must have started no threads and used no library that has: a fork has only the thread
            that made it.
        is_daemon: Whether it leads a session of its own, says nothing, and outlives this process
            until it has seen the end of its socket.

    Example:
        ```py
        child = Child("my_package.echo:serve", environment={"TZ": "UTC"})
        send_message(child.socket, {"say": "hello"})
        header, payload, _ = receive_message(child.socket)
        child.close()
        ```
    """

    def __init__(
        self,
        entry: str,
        arguments: Sequence[Any] = (),
        *,
        environment: Mapping[str, str] | None = None,
        fork: bool = False,
        is_daemon: bool = False,
    ) -> None:
        self.socket, theirs = socket.socketpair()
        self._process: subprocess.Popen[bytes] | _Fork
        try:
            if fork:
                self._process = _Fork(theirs, entry, arguments, environment or {})
            else:
                spawn = functools.partial(
                    _spawn, theirs, entry, arguments, environment or {}, is_daemon
                )
                self._process = spawn() if is_daemon else _from_lasting_thread(spawn)
        except BaseException:
            self.socket.close()
            raise
        finally:
            theirs.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def wait(self) -> int:
        """Waits for the end of the process; returns its exit status, negative for a signal."""
        return self._process.wait()

    def ends_within(self, seconds: float) -> bool:
        """Waits for the end of the process, but no longer than this."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self, seconds: float = _SECONDS_TO_END) -> None:
        """Lets the process see the end of its socket, and kills it if it does not end by that."""
        self.socket.close()
        if not self.ends_within(seconds):
            self.kill()

    def terminate(self, seconds: float = _SECONDS_TO_END) -> None:
        """Asks the process to end, and kills it if it does not."""
        self._process.send_signal(signal.SIGTERM)
        self.ends_within(seconds)
        self.kill()

    def kill(self) -> None:
        """Kills the process if it is there, and waits until it is gone."""
        self._process.send_signal(signal.SIGKILL)
        self.socket.close()
        self.wait()

    def kill_from_other_thread(self) -> None:
        """Kills the process; the thread that uses it hears of that as of any other death."""
        self._process.send_signal(signal.SIGKILL)

    def describe_death(self) -> str:
        """How the process ended, after its socket has told that it did."""
        if not self.ends_within(_SECONDS_TO_END):
            self.kill()
        status = self.wait()
        default = "" if status < 0 else "What it wrote to stderr says why"
        hint = _HINTS.get(-status, default)
        return f"its process {self.pid} {describe_exit(status)}" + (f". {hint}" if hint else "")


def describe_exit(status: int) -> str:
    """An exit status, negative for a signal, in words.

    >>> describe_exit(3)
    'ended with exit status 3'
    >>> describe_exit(-9)
    'was killed by SIGKILL'
    """
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:  # a real-time signal
        return f"was killed by signal {-status}"


def _spawn(
    theirs: socket.socket,
    entry: str,
    arguments: Sequence[Any],
    environment: Mapping[str, str],
    is_daemon: bool,
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [
            sys.executable,
            *subprocess._args_from_interpreter_flags(),  # type: ignore[attr-defined]
            "-c",
            _BOOTSTRAP,
            json.dumps([os.path.abspath(entry) for entry in sys.path]),
            entry,
            str(theirs.fileno()),
            json.dumps(list(arguments)),
            str(0 if is_daemon else os.getpid()),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if is_daemon else 2,
        stderr=subprocess.DEVNULL if is_daemon else None,
        pass_fds=[theirs.fileno()],
        env={**os.environ, **environment},
        start_new_session=is_daemon,
    )


class _LastingThread:
    """A thread that ends with this process, for what must not end with another thread."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._calls: queue.SimpleQueue[
            tuple[Callable[[], subprocess.Popen[bytes]], Future[subprocess.Popen[bytes]]]
        ] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="child-starter", daemon=True).start()

    def call(self, function: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
        """What the function returns there, or raises."""
        done: Future[subprocess.Popen[bytes]] = Future()
        self._calls.put((function, done))
        return done.result()

    def _work(self) -> None:
        while True:
            function, done = self._calls.get()
            try:
                done.set_result(function())
            except BaseException as error:
                done.set_exception(error)


_starter: _LastingThread | None = None
_starter_lock = threading.Lock()


def _from_lasting_thread(
    start: Callable[[], subprocess.Popen[bytes]],
) -> subprocess.Popen[bytes]:
    """Starts a process from a thread that is there as long as this process.

    A process that the system kills with its parent dies with the thread that has started it. The
    main thread is one that lasts; threads of Beam's, in which passes run, are not.
    """
    global _starter
    if sys.platform != "linux" or threading.current_thread() is threading.main_thread():
        return start()
    with _starter_lock:
        if _starter is None or _starter.owner != os.getpid():  # a fork has no such thread
            _starter = _LastingThread()
    return _starter.call(start)


class _Fork:
    """Like `subprocess.Popen`, as far as a child needs it."""

    def __init__(
        self,
        theirs: socket.socket,
        entry: str,
        arguments: Sequence[Any],
        environment: Mapping[str, str],
    ) -> None:
        self._status: int | None = None
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            _be_fork(theirs, entry, arguments, environment, parent)

    def poll(self) -> int | None:
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
        return self._status

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, negative for a signal; raises TimeoutExpired if it takes longer."""
        if timeout is None and self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        deadline = time.monotonic() + (timeout or 0)
        while (status := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(f"fork {self.pid}", timeout or 0)
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def _be_fork(
    theirs: socket.socket,
    entry: str,
    arguments: Sequence[Any],
    environment: Mapping[str, str],
    parent: int,
) -> None:
    """Never returns: what the forked program would have done next is not for the fork to do."""
    status = 1
    try:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        # Not held on to: other children's sockets, whose ends tell them that the parent is gone.
        os.closerange(3, theirs.fileno())
        os.closerange(theirs.fileno() + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        # The parent's streams may lead to what is closed now, and hold what the parent will write.
        # They are held on to: if they own their descriptors, their end would close these.
        inherited = sys.stdout, sys.stderr  # noqa: F841
        sys.stdout, sys.stderr = (
            os.fdopen(number, "w", buffering=1, errors="backslashreplace", closefd=False)
            for number in (1, 2)
        )
        os.environ.update(environment)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        call_entry(entry, theirs, arguments, parent)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
