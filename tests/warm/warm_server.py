"""The warm process: imports TensorFlow, then becomes a zygote in a fork for each that asks."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys

_SECONDS_BETWEEN_LOOKS = 1.0


def serve(listening, lender):
    """Serves until the process that lends is gone."""
    import tensorflow  # noqa: F401

    import trainwright.components.keras_preload
    import trainwright.orchestration.execution.worker
    import trainwright.orchestration.launching.zygote  # noqa: F401

    gc.collect()
    gc.freeze()  # forks do not copy what the collector would touch
    wakeup, write = os.pipe()
    os.set_blocking(wakeup, False)
    os.set_blocking(write, False)
    signal.signal(signal.SIGCHLD, lambda *unused: None)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    zygotes = {}
    while _is_there(lender):
        ready, _, _ = select.select([listening, wakeup], [], [], _SECONDS_BETWEEN_LOOKS)
        if wakeup in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(wakeup, 4096)
            _tell_ends(zygotes)
        if listening in ready:
            connection, _ = listening.accept()
            request, descriptor = _receive(connection)
            if request is None:
                connection.close()
                continue
            pid = os.fork()
            if pid == 0:
                _become_zygote(request, descriptor)
            os.close(descriptor)
            zygotes[pid] = connection
            _say(connection, f"pid {pid}")


def _is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _receive(connection):
    """The request and the descriptor of the zygote's socket; None if who asked is gone."""
    connection.settimeout(10)
    received, descriptors = b"", []
    while not received.endswith(b"\n"):
        try:
            read, passed, _, _ = socket.recv_fds(connection, 1 << 20, 1)
        except OSError:
            read, passed = b"", []
        received += read
        descriptors += passed
        if not read:
            for descriptor in descriptors:
                os.close(descriptor)
            return None, None
    return json.loads(received), descriptors[0]


def _say(connection, line):
    with contextlib.suppress(OSError):  # nobody waits for it
        connection.sendall(line.encode() + b"\n")


def _tell_ends(zygotes):
    for pid in list(zygotes):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            with zygotes.pop(pid) as connection:
                _say(connection, f"status {os.waitstatus_to_exitcode(status)}")


def _become_zygote(request, descriptor):
    """Never returns."""
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        for name in os.listdir("/proc/self/fd"):
            if int(name) > 2 and int(name) != descriptor:
                with contextlib.suppress(OSError):  # that of the listing itself
                    os.close(int(name))
        os.chdir(request["directory"])
        os.environ.clear()
        os.environ.update(request["environment"])
        sys.path[:] = request["sys_path"]
        sys.dont_write_bytecode = request["dont_write_bytecode"]
        for name in ("warm_server", "sitecustomize"):
            sys.modules.pop(name, None)
        from trainwright.processes.entry import call_entry

        sock = socket.socket(fileno=descriptor)
        sock.set_inheritable(False)
        call_entry("trainwright.orchestration.launching.zygote:main", sock, request["arguments"], 0)
        status = 0
    finally:
        os._exit(status)
