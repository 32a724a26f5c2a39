"""Beam's own job server, which needs neither Java nor a network."""

import os
import socket
import subprocess
import sys
import time

import pytest


@pytest.fixture(scope="module")
def job_service():
    """Beam's own job server, on loopback."""
    pytest.importorskip("apache_beam", reason="pip install 'trainwright[beam]'")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    module = "apache_beam.runners.portability.local_job_service_main"
    process = subprocess.Popen(
        [sys.executable, "-m", module, "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert process.poll() is None
                time.sleep(0.1)
        yield f"127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
