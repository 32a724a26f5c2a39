"""Processes that write shards, fed over pipes.

Each process is a fresh interpreter that runs this module, so neither a user's script is imported
again, as multiprocessing's spawn would do, nor are a parent's threads forked. Over its stdin it
gets blocks, each a JSON message and its packed rows; over its stdout it answers each with a JSON
message. Nothing is pickled. A process ends when its stdin is closed, so none outlives its parent
for longer than one block.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from types import TracebackType
from typing import IO, Any, cast

import pyarrow as pa

from trainwright.data.bad_records import RecordError
from trainwright.data.shard_writer import Block, WrittenBlock, write_block

_LENGTH_BYTES = 8
_SECONDS_TO_END = 10


class ShardWorkerError(RuntimeError):
    """A process that writes shards died, or could not write its block."""


class ShardWorkers(AbstractContextManager["ShardWorkers"]):
    """A fixed number of processes that write blocks side by side.

    The processes start at once and end with the `with` block: after an exception they are killed.
    Not for use by several threads.
    """

    def __init__(self, processes: int) -> None:
        self._workers: list[_Worker] = []
        try:
            self._workers.extend(_Worker() for _ in range(processes))
        except BaseException:
            self._end(_Worker.kill)
            raise

    @property
    def process_ids(self) -> list[int]:
        return [worker.process.pid for worker in self._workers]

    def write_blocks(
        self, blocks: Iterable[tuple[Block, Any]]
    ) -> Iterator[tuple[Block, WrittenBlock]]:
        """Writes each block as `write_block` does and yields what it returned, as blocks get done.

        At any time each process holds one block, and the next one is waiting here.

        Raises:
          RecordError: if the rows of a block cannot be used.
          ShardWorkerError: if a process dies or fails.
        """
        idle = list(self._workers)
        with selectors.DefaultSelector() as busy:
            for block, rows in blocks:
                if not idle:
                    yield from self._finished(busy, idle)
                worker = idle.pop()
                worker.start_block(block, rows)
                busy.register(worker.replies, selectors.EVENT_READ, worker)
            while busy.get_map():
                yield from self._finished(busy, idle)

    def _finished(
        self, busy: selectors.BaseSelector, idle: list[_Worker]
    ) -> Iterator[tuple[Block, WrittenBlock]]:
        """Waits until at least one process is done with its block."""
        for key, _ in busy.select():
            worker: _Worker = key.data
            busy.unregister(worker.replies)
            idle.append(worker)
            yield worker.finish_block()

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end(_Worker.close if exc_type is None else _Worker.kill)

    def _end(self, how: Callable[[_Worker], None]) -> None:
        for worker in self._workers:
            how(worker)


class _Worker:
    """The parent's side of one process."""

    _block: Block  # the latest that was started

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "trainwright.data.shard_workers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_environment(),
        )
        self._requests = cast(IO[bytes], self.process.stdin)
        self.replies = cast(IO[bytes], self.process.stdout)

    def start_block(self, block: Block, rows: Any) -> None:
        self._block = block
        try:
            _send(self._requests, json.dumps(block.to_json()).encode())
            _send(self._requests, block.row_format.pack(rows))
        except BrokenPipeError:
            raise self._death() from None

    def finish_block(self) -> tuple[Block, WrittenBlock]:
        message = _receive(self.replies)
        if message is None:
            raise self._death()
        reply = json.loads(message)
        if "record_error" in reply:
            raise RecordError(reply["record_error"])
        if "error" in reply:
            raise ShardWorkerError(
                f"Block {self._block.number} of the input could not be written to "
                f"{self._block.output_dir}: {reply['error']}"
            )
        return self._block, WrittenBlock.from_json(reply)

    def close(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._requests.close()
        try:
            self.process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._release()

    def kill(self) -> None:
        self.process.kill()
        with contextlib.suppress(BrokenPipeError):
            self._requests.close()
        self._release()

    def _release(self) -> None:
        self.process.wait()
        self.replies.close()

    def _death(self) -> ShardWorkerError:
        status = self.process.wait()
        if status < 0:
            how = f"was killed by {signal.Signals(-status).name}"
            advice = "Systems do that when memory runs out: try again with fewer processes."
        else:
            how = f"ended with exit status {status}"
            advice = "What it wrote to stderr says why."
        return ShardWorkerError(
            f"Process {self.process.pid}, which was writing block {self._block.number} of the "
            f"input, {how}. {advice}"
        )


def main() -> None:
    """The life of a worker process: answer blocks until stdin is closed."""
    # Ctrl-C reaches the whole process group; the parent decides what happens then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Replies get a descriptor of their own, so that nothing printed can end up between them.
    with os.fdopen(os.dup(1), "wb") as replies:
        os.dup2(2, 1)
        while (header := _receive(sys.stdin.buffer)) is not None:
            rows = _receive(sys.stdin.buffer)
            if rows is None:
                return
            _send(replies, json.dumps(_answer(header, rows)).encode())


def _answer(header: bytes, rows: bytes) -> dict[str, Any]:
    try:
        block = Block.from_json(json.loads(header))
        return write_block(block, block.row_format.unpack(rows)).to_json()
    except RecordError as error:
        return {"record_error": str(error)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def _send(pipe: IO[bytes], message: bytes | pa.Buffer) -> None:
    pipe.write(len(message).to_bytes(_LENGTH_BYTES, "little"))
    pipe.write(message)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes | None:
    """The next message, or None if the other side is gone."""
    prefix = pipe.read(_LENGTH_BYTES)
    if len(prefix) < _LENGTH_BYTES:
        return None
    length = int.from_bytes(prefix, "little")
    message = pipe.read(length)
    return message if len(message) == length else None


def _environment() -> dict[str, str]:
    """The environment in which a new interpreter finds the modules that this one finds."""
    search_path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    # Safe path (Python 3.11): the working directory is not searched before what is listed here.
    return {**os.environ, "PYTHONPATH": search_path, "PYTHONSAFEPATH": "1"}


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
