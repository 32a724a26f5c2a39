"""Children: fresh interpreters and forks alike, what they inherit, and how they end."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
import threading
import time

import pytest

from trainwright.processes.child import Child, describe_exit
from trainwright.processes.frame import ConnectionClosedError, receive_message, send_message

HERE = os.path.dirname(__file__)
ECHO = "test_child:echo"


def echo(sock: socket.socket, *arguments: object) -> None:
    """What the children here do: they answer with what they see."""
    print("What a child prints is not taken for a message.")
    while True:
        try:
            header, payload, _ = receive_message(sock)
        except ConnectionClosedError:
            return
        if "signal" in header:
            os.kill(os.getpid(), header["signal"])
        if "exit" in header:
            os._exit(header["exit"])
        if "sleep" in header:
            time.sleep(header["sleep"])
        seen = {
            "arguments": list(arguments),
            "variable": os.environ.get(header.get("variable", "")),
            "stdin": os.read(0, 10).decode(),
        }
        send_message(sock, {**header, **seen}, payload)


@pytest.fixture(params=[False, True], ids=["fresh", "fork"])
def start(request, monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    children = []

    def start(**options):
        children.append(Child(ECHO, [1, "two"], fork=request.param, **options))
        return children[-1]

    yield start
    for child in children:
        child.kill()


def ask(child, **header):
    send_message(child.socket, header, b"data")
    return receive_message(child.socket)


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_calls_the_function_with_a_socket_and_arguments(start):
    child = start(environment={"CHILD_TEST": "set"})
    answer, payload, _ = ask(child, variable="CHILD_TEST")
    assert answer["arguments"] == [1, "two"]
    assert answer["variable"] == "set"
    assert answer["stdin"] == ""
    assert payload == b"data"


def test_ends_with_its_socket(start):
    child = start()
    ask(child)
    child.close()
    assert child.wait() == 0
    assert not is_running(child.pid)


def test_is_killed_if_it_does_not_end(start):
    child = start()
    send_message(child.socket, {"sleep": 60})
    child.close(seconds=0.2)
    assert child.wait() == -signal.SIGKILL


def test_ctrl_c_is_for_the_parent(start):
    child = start()
    ask(child)
    os.kill(child.pid, signal.SIGINT)
    assert ask(child)[0]["arguments"] == [1, "two"]


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ({"exit": 3}, r"^its process \d+ ended with exit status 3. What it wrote to stderr says"),
        ({"signal": signal.SIGKILL}, r"was killed by SIGKILL. .*memory runs out: try fewer proc"),
        ({"signal": signal.SIGSEGV}, r"was killed by SIGSEGV. A native library crashed$"),
        ({"signal": signal.SIGTERM}, r"^its process \d+ was killed by SIGTERM$"),
    ],
    ids=["exit", "kill", "crash", "term"],
)
def test_says_how_it_died(start, header, words):
    child = start()
    with pytest.raises(ConnectionClosedError):
        ask(child, **header)
    assert re.search(words, child.describe_death())


def test_a_signal_without_a_name():
    assert describe_exit(-40) == "was killed by signal 40"


KILLED_PARENT = f"""
    import os, signal, sys, threading
    sys.path.insert(0, {HERE!r})
    from trainwright.processes.child import Child
    from trainwright.processes.frame import send_message

    children = [Child({ECHO!r}), Child({ECHO!r}, fork=True)]
    thread = threading.Thread(target=lambda: children.append(Child({ECHO!r})))
    thread.start()
    thread.join()
    for child in children:
        send_message(child.socket, {{"sleep": 60}})
    print(*[child.pid for child in children], flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it ends after what it is doing")
def test_dies_with_its_parent_whatever_it_is_doing(run_script):
    deadline = time.monotonic() + 30  # whoever has the script's stderr is waited for, too
    pids = [int(pid) for pid in run_script(KILLED_PARENT, check=False).stdout.split()]
    assert len(pids) == 3
    while any(map(is_running, pids)):
        time.sleep(0.05)
    assert time.monotonic() < deadline, "a child went on"


def test_a_thread_that_ends_takes_no_child_with_it(monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    children = []
    thread = threading.Thread(target=lambda: children.append(Child(ECHO)))
    thread.start()
    thread.join()
    assert ask(children[0])[0]["arguments"] == []
    children[0].close()
