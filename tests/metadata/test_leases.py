"""Leases: who runs an execution, and whether it still does."""

import dataclasses
import os
import socket
import subprocess
import sys

import pytest

from trainwright.metadata import leases
from trainwright.metadata.leases import STALE_SECONDS, current_lease, is_alive
from trainwright.metadata.records import Lease

NOW = 1_000_000.0


def lease_elsewhere(heartbeat_at):
    return Lease(host="elsewhere", pid=os.getpid(), process_started_at=0, heartbeat_at=heartbeat_at)


def test_own_process_is_alive():
    lease = current_lease()
    assert lease.pid == os.getpid()
    assert is_alive(lease, NOW)


def test_nobody_is_not_alive():
    assert not is_alive(None, NOW)


def test_ended_process_is_not_alive():
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    started = leases._process_start(process.pid)
    lease = dataclasses.replace(current_lease(), pid=process.pid, process_started_at=started)
    assert is_alive(lease, NOW)
    process.communicate(b"\n")
    assert not is_alive(lease, NOW)


def test_later_process_with_the_same_pid_is_another():
    lease = dataclasses.replace(current_lease(), process_started_at=1.5)
    assert not is_alive(lease, NOW)


def test_another_host_is_alive_by_its_heartbeat():
    assert is_alive(lease_elsewhere(NOW - STALE_SECONDS + 1), NOW)
    assert not is_alive(lease_elsewhere(NOW - STALE_SECONDS - 1), NOW)


@pytest.mark.parametrize(
    ("inode", "expected"), [(0xEFFFFFFC, "{host}"), (4026532281, "{host}/4026532281")]
)
def test_containers_on_one_host_are_told_apart(monkeypatch, inode, expected):
    real = os.stat

    def stat(path, *arguments, **options):
        if path == "/proc/self/ns/pid":
            return type("Status", (), {"st_ino": inode})
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, "stat", stat)
    assert current_lease().host == expected.format(host=socket.gethostname())


def test_host_without_proc(monkeypatch):
    def stat(path, *arguments, **options):
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "stat", stat)
    assert leases._host() == socket.gethostname()
