"""Concurrent requests are computed together, and answered as if each were alone."""

import asyncio
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from trainwright.serving.batching import Batcher, compute
from trainwright.serving.errors import RequestError
from trainwright.serving.metrics import ServingMetrics
from trainwright.serving.requests import make_call
from trainwright.serving.settings import ServingSettings


class SlowedModel:
    """The model, which waits before each batch until it is told to go on, and notes what it got."""

    def __init__(self, model):
        self._model = model
        self.signature = model.signature
        self.signatures = model.signatures
        self.go_on = threading.Event()
        self.rows = []

    def run(self, signature, arrays):
        assert self.go_on.wait(30)
        self.rows.append(len(next(iter(arrays.values()))))
        return self._model.run(signature, arrays)


@pytest.fixture
def slowed(served_model):
    return SlowedModel(served_model)


def run_batches(model, documents, act=lambda batcher, tasks: None, **settings):
    """The answers to documents that are asked at once; errors are among them."""

    async def main():
        with ThreadPoolExecutor(4) as executor:
            chosen = ServingSettings(**{"threads": 1, **settings})
            batcher = Batcher(model, executor, chosen, ServingMetrics("test"))
            tasks = [
                asyncio.create_task(batcher.submit(make_call("predict", document, model)))
                for document in documents
            ]
            await asyncio.sleep(0.05)
            act(batcher, tasks)
            model.go_on.set()
            answers = await asyncio.gather(*tasks, return_exceptions=True)
            return [json.loads(one) if isinstance(one, bytes) else one for one in answers]

    return asyncio.run(main())


def rows(*values):
    return {"instances": [[value, 0.5] for value in values]}


def test_what_waits_while_another_is_computed_is_one_batch(slowed):
    answers = run_batches(slowed, [rows(number) for number in range(10)])
    assert answers == [{"predictions": [number + 0.5]} for number in range(10)]
    assert slowed.rows == [1, 9]


def test_a_batch_is_not_larger_than_allowed_and_no_request_is_cut(slowed):
    answers = run_batches(slowed, [rows(*range(3)) for _ in range(5)], max_batch_size=7)
    assert all(answer == {"predictions": [0.5, 1.5, 2.5]} for answer in answers)
    assert slowed.rows == [3, 6, 6]


def test_the_error_of_one_is_not_that_of_its_mates(slowed):
    answers = run_batches(slowed, [rows(0), rows(1), rows(-1), rows(2)])
    assert [answers[0], answers[1], answers[3]] == [
        {"predictions": [value]} for value in (0.5, 1.5, 2.5)
    ]
    assert "minus one is not liked" in str(answers[2])


def test_only_rows_of_the_same_function_and_shape_are_joined(slowed):
    named = {"number": 1.0, "count": 1, "word": "a", "flag": True}
    documents = [
        rows(0),
        {"signature_name": "named", "instances": [named]},
        {"signature_name": "mean", "instances": [1.0]},
        {"signature_name": "mean", "instances": [3.0]},
        {"signature_name": "named", "instances": [named]},
        rows(1),
    ]
    answers = run_batches(slowed, documents)
    assert slowed.rows == [1, 2, 1, 1, 1]
    assert [answers[2], answers[3]] == [{"predictions": 1.0}, {"predictions": 3.0}]
    assert answers[5] == {"predictions": [1.5]}


def test_a_queue_that_is_full_refuses_the_next(slowed):
    answers = run_batches(slowed, [rows(number) for number in range(5)], max_queue=2)
    refused = [answer for answer in answers if isinstance(answer, RequestError)]
    assert len(refused) == 2
    assert refused[0].status == 503
    assert "too busy: 2 requests wait" in str(refused[0])


def test_a_request_whose_client_has_gone_is_not_computed(slowed):
    answers = run_batches(
        slowed, [rows(0), rows(1), rows(2)], lambda batcher, tasks: tasks[1].cancel()
    )
    assert isinstance(answers[1], asyncio.CancelledError)
    assert answers[2] == {"predictions": [2.5]}
    assert slowed.rows == [1, 1]


def test_a_request_waits_for_as_many_as_came_together_before(slowed):
    async def story(batcher):
        await batcher.submit(make_call("predict", rows(0, 1), slowed))
        first = asyncio.create_task(batcher.submit(make_call("predict", rows(5), slowed)))
        await asyncio.sleep(0.05)
        assert slowed.rows == [2]
        await batcher.submit(make_call("predict", rows(6), slowed))
        await first

    tell_story(slowed, story)
    assert slowed.rows == [2, 2]


def test_a_lone_client_never_waits_and_after_a_burst_not_for_long(slowed):
    async def story(batcher):
        for _ in range(5):
            await batcher.submit(make_call("predict", rows(0), slowed))

    tell_story(slowed, story)
    assert slowed.rows == [1] * 5

    async def burst(batcher):
        await batcher.submit(make_call("predict", rows(*range(16)), slowed))
        for _ in range(12):
            await batcher.submit(make_call("predict", rows(0), slowed))

    began = time.monotonic()
    tell_story(slowed, burst, batch_wait_ms=100)
    assert time.monotonic() - began < 10
    assert slowed.rows[5:] == [16] + [1] * 12


def tell_story(model, story, batch_wait_ms=10_000):
    """Runs a coroutine function of a batcher whose model does not wait."""
    model.go_on.set()

    async def main():
        with ThreadPoolExecutor(4) as executor:
            settings = ServingSettings(threads=1, batch_wait_ms=batch_wait_ms)
            await asyncio.wait_for(
                story(Batcher(model, executor, settings, ServingMetrics("test"))), 30
            )

    asyncio.run(main())


def test_a_batch_size_of_one_computes_each_by_itself(slowed):
    run_batches(slowed, [rows(0), rows(1), rows(2)], max_batch_size=1)
    assert slowed.rows == [1, 1, 1]


def test_an_error_that_is_not_foreseen_is_everybodys_answer(served_model):
    class Broken(SlowedModel):
        def run(self, signature, arrays):
            raise MemoryError("no memory")

    broken = Broken(served_model)
    answers = run_batches(broken, [rows(0), rows(1)])
    assert all(isinstance(answer, MemoryError) for answer in answers)


def test_a_model_whose_outputs_are_not_rows_is_asked_alone(served_model):
    class Odd(SlowedModel):
        def run(self, signature, arrays):
            size = len(arrays["x"])
            self.rows.append(size)
            return {"y": np.zeros(1 if size == 1 else size + 1, np.float32)}

    odd = Odd(served_model)
    calls = [make_call("predict", rows(value), odd) for value in (0, 1)]
    assert compute(odd, calls) == [b'{"predictions":[0.0]}'] * 2
    assert odd.rows == [2, 1, 1]
