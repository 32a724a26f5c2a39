"""Stores in forked processes: obstore's threads do not follow there, and it would wait for ever."""

from __future__ import annotations

import os
import select
import threading

from trainwright.storage import objects


def _in_a_fork(function, *, seconds=60):
    """What a function returns in a forked process; fails if it takes longer."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writer, function())
        finally:
            os._exit(0)
    os.close(writer)
    try:
        ready, _, _ = select.select([reader], [], [], seconds)
        if not ready:
            os.kill(pid, 9)
        return os.read(reader, 1 << 16)
    finally:
        os.close(reader)
        os.waitpid(pid, 0)


def test_a_store_that_was_used_before_a_fork_is_opened_anew(bucket):
    uri = f"{bucket}/a"
    objects.write(uri, b"before")
    assert _in_a_fork(lambda: objects.read(uri)) == b"before"

    def child():
        objects.write(f"{bucket}/b", b"from the child")
        return _in_a_fork(lambda: objects.read(f"{bucket}/b") + b"'s child")

    assert _in_a_fork(child) == b"from the child's child"
    assert objects.read(f"{bucket}/b") == b"from the child", "the parent goes on"


def test_errors_and_conflicts_are_told_apart_in_a_fork(bucket):
    objects.write(f"{bucket}/a", b"1")

    def child():
        assert not objects.create(f"{bucket}/a", b"2")
        try:
            objects.read(f"{bucket}/gone")
        except FileNotFoundError as error:
            return str(error).encode()
        return b""

    assert b"does not exist" in _in_a_fork(child)


def test_a_fork_while_other_threads_use_the_store(bucket):
    objects.write(f"{bucket}/a", b"1")
    stop = threading.Event()

    def use():
        while not stop.is_set():
            objects.read(f"{bucket}/a")

    threads = [threading.Thread(target=use) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            assert _in_a_fork(lambda: objects.read(f"{bucket}/a")) == b"1"
    finally:
        stop.set()
        for thread in threads:
            thread.join()
