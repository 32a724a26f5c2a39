"""Batching: concurrent requests for the same function are computed together.

While a batch is computed, requests that arrive wait for it and then form the next one. If nothing
is computed, a request waits until there are as many rows as batches had before, for a moment at
most: under load those are on their way, because their clients have just been answered. So a lone
client never waits, and under load batches become as large as they need to be.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import deque
from collections.abc import Hashable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import numpy as np

from trainwright.serving.errors import RequestError
from trainwright.serving.metrics import ServingMetrics
from trainwright.serving.requests import ModelCall, outputs_to_json
from trainwright.serving.served_model import Arrays, ServedModel
from trainwright.serving.settings import ServingSettings

_logger = logging.getLogger(__name__)

# The body that answers, or why there is none.
Answer = bytes | Exception


@dataclass(eq=False)
class _Waiting:
    """A request that waits, or is being computed."""

    call: ModelCall
    answer: asyncio.Future[bytes]


@dataclass(eq=False)
class _Queue:
    """Requests that may be computed together: of one function, with rows of the same shape."""

    waiting: deque[_Waiting] = field(default_factory=deque)
    rows: int = 0
    # Set while the first request waits for others.
    timer: asyncio.TimerHandle | None = None


class Batcher:
    """Computes requests for one model, several at once where that changes no answer.

    All methods belong to the event loop; the model is asked, and answers are encoded, in the
    threads of the executor.

    Args:
        model: Who is asked.
        executor: Its threads.
        settings: The limits.
        metrics: Are told of batches.
    """

    def __init__(
        self,
        model: ServedModel,
        executor: Executor,
        settings: ServingSettings,
        metrics: ServingMetrics,
    ) -> None:
        self._model = model
        self._executor = executor
        self._settings = settings
        self._threads = settings.computing_threads
        self._metrics = metrics
        self._queues: dict[Hashable, _Queue] = {}
        # Of the last batch, by signature.
        self._last_rows: dict[str, int] = {}
        self._number_waiting = 0
        self._number_computing = 0
        self._serial_numbers = itertools.count()

    async def submit(self, call: ModelCall) -> bytes:
        """The body that answers a request.

        If the caller stops waiting, a request that is not yet computed is forgotten.

        Raises:
            RequestError: if too many requests wait, or if the model refuses it.
        """
        if self._number_waiting >= self._settings.max_queue:
            raise RequestError(
                f"The server is too busy: {self._number_waiting} requests wait for the model "
                "already. Try again later, or send less at once.",
                HTTPStatus.SERVICE_UNAVAILABLE,
            )
        key = self._key_of(call)
        queue = self._queues.setdefault(key, _Queue())
        request = _Waiting(call, asyncio.get_running_loop().create_future())
        queue.waiting.append(request)
        queue.rows += call.rows or 1
        self._number_waiting += 1
        self._wait_or_start(key, queue, call.signature.name)
        try:
            return await request.answer
        except asyncio.CancelledError:
            if request in queue.waiting:  # its time is over
                queue.waiting.remove(request)
                queue.rows -= call.rows or 1
                self._number_waiting -= 1
            raise

    def _key_of(self, call: ModelCall) -> Hashable:
        """Equal for requests that may be computed together."""
        is_alone = (
            call.rows is None
            or call.rows >= self._settings.max_batch_size
            or not call.signature.is_batchable
        )
        if is_alone:
            return next(self._serial_numbers)
        shapes = tuple(array.shape[1:] for array in call.arrays.values())
        return (call.signature.name, shapes)

    def _wait_or_start(self, key: Hashable, queue: _Queue, signature: str) -> None:
        expected = min(self._last_rows.get(signature, 1), self._settings.max_batch_size)
        seconds = self._settings.batch_wait_ms / 1000
        if queue.rows >= expected or not seconds or isinstance(key, int):
            self._start(key, queue)
        elif queue.timer is None and self._number_computing < self._threads:
            loop = asyncio.get_running_loop()
            queue.timer = loop.call_later(seconds, self._start, key, queue)

    def _start(self, key: Hashable, queue: _Queue) -> None:
        """Computes the next batch of a queue, if a thread is free."""
        if queue.timer is not None:
            queue.timer.cancel()
            queue.timer = None
        if self._number_computing >= self._threads:
            return
        batch = self._take(queue)
        if not queue.waiting:
            self._queues.pop(key, None)
        if not batch:
            return
        self._number_computing += 1
        loop = asyncio.get_running_loop()
        computed = loop.run_in_executor(
            self._executor, compute, self._model, [request.call for request in batch]
        )
        computed.add_done_callback(lambda done: self._hand_out(batch, done))

    def _note_rows(self, signature: str, rows: int) -> None:
        before = self._last_rows.get(signature, 1)
        # A batch that happens to be small does not end the waiting, many of them do.
        self._last_rows[signature] = max(rows, before * 3 // 4)

    def _take(self, queue: _Queue) -> list[_Waiting]:
        batch: list[_Waiting] = []
        rows = 0
        while queue.waiting:
            more = queue.waiting[0].call.rows or 1
            if batch and rows + more > self._settings.max_batch_size:
                break
            request = queue.waiting.popleft()
            queue.rows -= more
            self._number_waiting -= 1
            if not request.answer.done():
                batch.append(request)
                rows += more
        if batch:
            self._note_rows(batch[0].call.signature.name, rows)
            self._metrics.batch_rows.observe(rows)
        return batch

    def _hand_out(self, batch: Sequence[_Waiting], done: asyncio.Future[list[Answer]]) -> None:
        self._number_computing -= 1
        error = done.exception()
        answers: Sequence[Answer | BaseException]
        answers = [error] * len(batch) if error is not None else done.result()
        for request, answer in zip(batch, answers, strict=True):
            if request.answer.done():
                continue
            if isinstance(answer, bytes):
                request.answer.set_result(answer)
            else:
                request.answer.set_exception(answer)
        self._start_others()

    def _start_others(self) -> None:
        """The queue that has waited longest comes next."""
        for key, queue in list(self._queues.items()):
            if self._number_computing >= self._threads:
                return
            if not queue.waiting:  # their clients have gone
                self._queues.pop(key)
            elif queue.timer is None:
                # At the end of the order, if it has more than one batch.
                self._queues.pop(key)
                self._queues[key] = queue
                self._wait_or_start(key, queue, queue.waiting[0].call.signature.name)


def compute(model: ServedModel, calls: Sequence[ModelCall]) -> list[Answer]:
    """The answers to requests that are computed together.

    If the model refuses the batch, each is asked by itself, so that the error of one is not that
    of all.
    """
    if len(calls) == 1:
        return [_compute_alone(model, calls[0])]
    signature = calls[0].signature
    rows = [call.rows or 0 for call in calls]
    joined = {
        name: np.concatenate([call.arrays[name] for call in calls]) for name in signature.inputs
    }
    try:
        outputs = model.run(signature, joined)
        if not _are_rows(outputs, sum(rows)):
            raise RequestError("The model returns other rows than it was asked about.")
        values = outputs_to_json(outputs)
    except RequestError:
        return [_compute_alone(model, call) for call in calls]
    ends = list(itertools.accumulate(rows))
    answers: list[Answer] = []
    for call, end, size in zip(calls, ends, rows, strict=True):
        part = {name: listed[end - size : end] for name, listed in values.items()}
        answers.append(_encode(call, part))
    return answers


def _compute_alone(model: ServedModel, call: ModelCall) -> Answer:
    try:
        return _encode(call, outputs_to_json(model.run(call.signature, call.arrays)))
    except RequestError as error:
        return error
    except Exception as error:
        _logger.exception("A request failed in a way that was not foreseen.")
        return error


def _encode(call: ModelCall, values: dict[str, Any]) -> Answer:
    try:
        return call.encode(values)
    except RequestError as error:
        return error


def _are_rows(outputs: Arrays, rows: int) -> bool:
    return all(array.ndim and array.shape[0] == rows for array in outputs.values())
