"""A container engine without containers: runs commands as children of its own, as a daemon does.

    python daemon.py SOCKET

The program `podman` beside it sends its arguments over the socket and prints what comes back. The
command goes on if that program is killed, and ends when it is removed.
"""

from __future__ import annotations

import json
import os
import signal
import socketserver
import subprocess
import sys
import threading

VALUED = ("--name", "--label", "--mount", "--env", "--user", "--volume", "--security-opt")
containers: dict[str, subprocess.Popen[bytes]] = {}
lock = threading.Lock()


class Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        arguments = json.loads(self.rfile.readline())
        answer = getattr(self, f"do_{arguments[0]}")
        self.say(status=answer(arguments[1:]))

    def say(self, **message: object) -> None:
        try:
            self.wfile.write(json.dumps(message).encode() + b"\n")
            self.wfile.flush()
        except OSError:
            pass  # the program was killed; the container goes on

    def do_info(self, arguments: list[str]) -> int:
        self.say(output="[name=seccomp,profile=builtin]\n")
        return 0

    def do_ps(self, arguments: list[str]) -> int:
        self.say(output="".join(f"{name}\n" for name in containers))
        return 0

    def do_rm(self, arguments: list[str]) -> int:
        with lock:
            process = containers.pop(arguments[-1], None)
        if process is not None:
            os.killpg(process.pid, signal.SIGKILL)
        return 0

    def do_run(self, arguments: list[str]) -> int:
        name, entrypoint, environment = "", [], dict(os.environ)
        while arguments[0].startswith("--"):
            option = arguments.pop(0)
            value = arguments.pop(0) if option in (*VALUED, "--entrypoint") else ""
            if option == "--name":
                name = value
            elif option == "--entrypoint":
                entrypoint = [value]
            elif option == "--env":
                environment.update([value.split("=", 1)])
        image = arguments.pop(0)
        if image == "missing:latest":
            self.say(output="Error: missing:latest: image not known\n")
            return 125
        process = subprocess.Popen(
            [*entrypoint, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
        with lock:
            containers[name] = process
        for line in process.stdout:
            self.say(output=line.decode())
        status = process.wait()
        with lock:
            containers.pop(name, None)
        return status if status >= 0 else 128 - status


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True


if __name__ == "__main__":
    with Server(sys.argv[1], Handler) as server:
        print("ready", flush=True)
        server.serve_forever()
