"""An S3 server on loopback: moto's, in a process of its own, which can be frozen and killed.

    with ObjectStore() as store:
        os.environ.update(store.environment)
        store.create_bucket("bucket")

It starts in about a second and keeps its objects in memory: they are gone when it is killed, and
still there after a freeze. It ends with the process that has started it, however that ends.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

# The server watches its standard input, which closes when this process is gone.
_PROGRAM = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
from moto.server import main
main(["-H", "127.0.0.1", "-p", sys.argv[1]])
"""


class ObjectStore:
    """A server; one for a whole session of tests is enough, with a bucket for each.

    Args:
        free_requests: How many requests need no permission; after these moto asks the credentials
            what they allow. By default none ever does.
        port: On which it listens; by default one that is free.
    """

    def __init__(self, *, free_requests: int | None = None, port: int | None = None) -> None:
        self.port = port or free_port()
        self._free_requests = free_requests
        self._process: subprocess.Popen[bytes] | None = None
        self._buckets = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs in its environment to find the server."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": "access-key-of-tests",
            "AWS_SECRET_ACCESS_KEY": "secret-key-of-tests",
            "AWS_REGION": "us-east-1",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ALLOW_HTTP": "true",
        }

    def __enter__(self) -> ObjectStore:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.kill()

    def start(self) -> None:
        """Starts the server, empty, on its port, and waits until it answers."""
        environment = dict(os.environ)
        if self._free_requests is not None:
            environment["INITIAL_NO_AUTH_ACTION_COUNT"] = str(self._free_requests)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, str(self.port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        deadline = time.monotonic() + 60
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"moto's server does not start on port {self.port}.")
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except OSError:
            return False

    def freeze(self) -> None:
        """Lets the server answer nobody; connections to it still open."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """Ends the server at once; its objects are gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(30)
            if self._process.stdin is not None:
                self._process.stdin.close()
            self._process = None

    def restart(self) -> None:
        """Kills the server, and starts an empty one on the same port."""
        self.kill()
        self.start()

    def create_bucket(self, name: str | None = None) -> str:
        """Makes a bucket; by default one that nobody else has. Returns its name."""
        if name is None:
            self._buckets += 1
            name = f"bucket-{os.getpid()}-{self._buckets}"
        request = urllib.request.Request(f"{self.url}/{name}", method="PUT", data=b"")
        urllib.request.urlopen(request, timeout=30).close()
        return name

    def uploads(self, bucket: str) -> str:
        """What the server says of the unfinished uploads of a bucket, as XML."""
        with urllib.request.urlopen(f"{self.url}/{bucket}?uploads", timeout=30) as answer:
            return answer.read().decode()

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None, "start() comes first"
        self._process.send_signal(number)


def free_port() -> int:
    """A port of loopback on which nobody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
