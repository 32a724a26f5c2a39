"""Retries, timeouts and other things that are said of a node."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, PipelineRunError, component
from trainwright.dsl.node_options import NodeExecutionOptions, NodeOptions, TriggerStrategy
from trainwright.metadata.connection import open_store
from trainwright.metadata.records import ExecutionState
from trainwright.orchestration.events import RunEventKind


@component
def succeed_after(failures: Parameter[int], counter: Parameter[str]) -> OutputDict(tries=int):
    """Fails as often as it is told to."""
    path = Path(counter)
    tries = len(path.read_text()) + 1 if path.exists() else 1
    path.write_text("x" * tries)
    if tries <= failures:
        raise OSError(f"try {tries} failed")
    return {"tries": tries}


@component
def hang() -> OutputDict(out=int):
    time.sleep(600)
    return {"out": 1}


def run_one(tmp_path, node):
    events = []
    runner = LocalDagRunner(observer=events.append)
    pipeline = Pipeline("p", str(tmp_path / "root"), components=[node])
    try:
        return runner.run(pipeline), events
    except PipelineRunError as error:
        return error.result, events


def test_a_node_is_tried_again_with_growing_waits(tmp_path):
    node = succeed_after(failures=2, counter=str(tmp_path / "tries")).with_retries(
        3, wait_seconds=0.2
    )
    result, events = run_one(tmp_path, node)
    assert result.is_success
    assert (tmp_path / "tries").read_text() == "xxx"
    retries = [event.data for event in events if event.kind is RunEventKind.NODE_RETRYING]
    assert [(data["retry"], data["wait_seconds"]) for data in retries] == [(1, 0.2), (2, 0.4)]
    assert retries[0]["headline"] == "OSError: try 1 failed"
    with open_store(tmp_path / "root/metadata.db") as store:
        assert [one.state for one in reversed(store.get_executions())] == [
            ExecutionState.FAILED,
            ExecutionState.FAILED,
            ExecutionState.COMPLETE,
        ]
    # What the failed attempts wrote is gone.
    assert [path.name for path in (tmp_path / "root/succeed_after/tries").iterdir()] == ["3"]


def test_a_node_that_keeps_failing_fails_in_the_end(tmp_path):
    node = succeed_after(failures=9, counter=str(tmp_path / "tries")).with_retries(
        1, wait_seconds=0
    )
    result, _ = run_one(tmp_path, node)
    assert [failure.message for failure in result.failures] == ["try 2 failed"]


def test_a_node_that_takes_too_long_is_ended(tmp_path):
    began = time.monotonic()
    result, _ = run_one(tmp_path, hang().with_timeout(0.5))
    assert time.monotonic() - began < 30
    (failure,) = result.failures
    assert failure.describe().startswith(
        "hang failed with TimeoutError: the node took longer than the 0.5 seconds of with_timeout."
    )


def test_a_timeout_counts_for_each_attempt(tmp_path):
    result, events = run_one(tmp_path, hang().with_timeout(0.3).with_retries(1, wait_seconds=0))
    assert not result.is_success
    assert [event.kind for event in events].count(RunEventKind.NODE_STARTED) == 2


def test_the_rest_of_a_pipeline_goes_on_while_a_node_waits_for_its_retry(tmp_path):
    waiting = succeed_after(failures=1, counter=str(tmp_path / "a")).with_retries(1, 1.0)
    other = succeed_after(failures=0, counter=str(tmp_path / "b")).with_id("other")
    events = []
    LocalDagRunner(observer=events.append, max_parallel=1).run(
        Pipeline("p", str(tmp_path / "root"), components=[waiting, other])
    )
    done = [event.node for event in events if event.kind is RunEventKind.NODE_COMPLETED]
    assert done == ["other", "succeed_after"]


def test_tfx_node_execution_options(tmp_path):
    node = succeed_after(failures=1, counter=str(tmp_path / "tries"))
    node.with_node_execution_options(
        NodeExecutionOptions(max_execution_retries=2, execution_timeout_sec=60)
    )
    assert node.options == NodeOptions(max_retries=2, timeout_seconds=60)
    assert run_one(tmp_path, node)[0].is_success


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"success_optional": True}, "success_optional=True cannot be honoured"),
        (
            {"trigger_strategy": TriggerStrategy.ALL_UPSTREAM_NODES_COMPLETED},
            "a node starts when all nodes that it depends on have succeeded",
        ),
        ({"lifetime_start": "x"}, "lifetime_start='x' cannot be honoured"),
    ],
)
def test_what_has_no_effect_is_refused_before_the_run(tmp_path, options, words):
    node = hang().with_node_execution_options(NodeExecutionOptions(**options))
    with pytest.raises(ValueError, match=words):
        run_one(tmp_path, node)


@pytest.mark.parametrize(
    ("set_option", "error", "words"),
    [
        (lambda node: node.with_retries(-1), ValueError, "retries is -1: expected 0 or more"),
        (lambda node: node.with_retries(1.5), TypeError, "retries is 1.5: expected an integer"),
        (
            lambda node: node.with_retries(1, wait_seconds=-1),
            ValueError,
            "seconds is -1: expected 0 or more",
        ),
        (lambda node: node.with_timeout(0), ValueError, "seconds is 0: expected more than 0"),
        (lambda node: node.with_cache("no"), TypeError, "is 'no': expected True or False"),
    ],
)
def test_senseless_options_are_refused(set_option, error, words):
    with pytest.raises(error, match=words):
        set_option(hang())
