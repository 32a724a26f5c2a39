"""An engine of another package, whose processes share nothing with the caller but what they read.

Each shard is processed by a child process in a working directory of its own, with a private
TMPDIR that is emptied before the result is handed on. Elsewhere the child cannot write.
"""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from trainwright.engine.engine import Engine, InvalidInputError, ShardError
from trainwright.engine.passes import PassSpec, Shard

ATTEMPTS = 2
# If set, this many different tokens of a vocabulary fit into the memory of a child.
TOKENS_IN_MEMORY = "ELSEWHERE_TOKENS_IN_MEMORY"


class Elsewhere(Engine):
    """Where `address` names a file, each shard is noted in it."""

    shares_filesystem = False

    def __init__(self, address=""):
        self._notes = address
        self._child = None
        self._is_open = False

    def __enter__(self):
        self._is_open = True
        return self

    def __exit__(self, *error):
        self._is_open = False
        self._end()

    def _end(self):
        if self._child is not None:
            self._child.end()
            self._child = None

    def run(self, spec, shards, report_progress=None):
        units = 0
        try:
            for shard in shards:
                done, result = self._try(spec, shard)
                units += done
                if report_progress:
                    report_progress(units)
                if self._notes:
                    with open(self._notes, "a") as file:
                        file.write(f"{spec.factory} {os.path.basename(shard.name)}\n")
                yield result
        finally:
            if not self._is_open:
                self._end()

    def _try(self, spec, shard):
        for _ in range(ATTEMPTS):
            if self._child is None:
                self._child = Child()
            reply = self._child.ask(spec, shard)
            if reply is None:
                number = self._child.end()
                self._child, cause = None, f"killed by {signal.Signals(-number).name}"
                continue
            if "result" in reply:
                return reply["units"], reply["result"]
            if "invalid" in reply:
                raise InvalidInputError(reply["invalid"])
            cause = reply["error"]
        raise ShardError(shard.name, cause, ATTEMPTS)


class Child:
    def __init__(self):
        self._directory = tempfile.mkdtemp()
        self._scratch = os.path.join(self._directory, "scratch")
        os.mkdir(self._scratch)
        self._process = subprocess.Popen(
            [sys.executable, "-c", "import elsewhere; elsewhere.answer()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=self._directory,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(sys.path),
                "TMPDIR": self._scratch,
            },
        )

    def ask(self, spec, shard):
        data = bytes(shard.packed_data)
        request = json.dumps([spec.to_json(), shard.to_json(), len(data)])
        try:
            self._process.stdin.write(request.encode() + b"\n" + data)
            self._process.stdin.flush()
        except BrokenPipeError:
            return None
        line = self._process.stdout.readline()
        if not line:
            return None
        reply = json.loads(line)
        if "size" in reply:
            reply["result"] = self._process.stdout.read(reply["size"])
        for name in os.listdir(self._scratch):
            path = os.path.join(self._scratch, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
        return reply

    def end(self):
        self._process.stdin.close()
        number = self._process.wait()
        self._process.stdout.close()
        shutil.rmtree(self._directory)
        return number


def answer():
    """What the child does."""
    is_restricted = False
    if TOKENS_IN_MEMORY in os.environ:
        from trainwright.transform import vocabulary_counts

        vocabulary_counts._MOST_IN_MEMORY = int(os.environ[TOKENS_IN_MEMORY])
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    own = os.getcwd()

    def refuse_to_write(event, arguments):
        """All but the child's own directory is as a disk that may only be read."""
        if event not in ("open", "os.mkdir"):
            return
        path, flags = arguments[0], arguments[2]
        writes = event == "os.mkdir" or flags & (os.O_WRONLY | os.O_RDWR)
        is_file = isinstance(path, (str, bytes)) and not os.fsdecode(path).startswith("/dev/")
        if not (writes and is_file and is_restricted):
            return
        if os.path.commonpath([own, os.path.abspath(os.fsdecode(path))]) != own:
            raise OSError(errno.EROFS, "not in the child's own directory", path)

    sys.addaudithook(refuse_to_write)
    while line := sys.stdin.buffer.readline():
        spec, shard, size = json.loads(line)
        shard = Shard.from_json(shard, sys.stdin.buffer.read(size))
        # The contract's own passes note in files of the test how often they were tried.
        is_restricted = "engine_contract" not in spec["factory"]
        units = []
        try:
            built = PassSpec.from_json(spec).build()
            data = built.run(shard, units.append)
            reply = {"size": len(data), "units": sum(units)}
        except InvalidInputError as error:
            data, reply = b"", {"invalid": str(error)}
        except Exception as error:
            data, reply = b"", {"error": f"{type(error).__name__}: {error}"}
        replies.write(json.dumps(reply).encode() + b"\n" + data)
        replies.flush()
