"""Runners by name, and what a runner decides when nothing was said."""

from __future__ import annotations

import pytest

from trainwright import LocalDagRunner, OutputDict, Pipeline, RayDagRunner, component
from trainwright.orchestration import script_runs
from trainwright.orchestration.runner_choice import make_runner


@component
def count() -> OutputDict(total=int):
    return {"total": 1}


@pytest.mark.parametrize(("name", "expected"), [("local", LocalDagRunner), ("ray", RayDagRunner)])
def test_a_name_of_ours_is_a_runner(name, expected):
    assert type(make_runner(name)) is expected


def test_a_name_that_nobody_has_is_refused_with_one_that_is_near():
    with pytest.raises(ValueError, match="There is no runner 'rya'; did you mean 'ray'"):
        make_runner("rya")


@pytest.mark.parametrize("runner", [LocalDagRunner, RayDagRunner])
def test_no_node_at_a_time_is_a_mistake(runner):
    with pytest.raises(ValueError, match="max_parallel is 0"):
        runner(max_parallel=0)


@pytest.mark.parametrize("runner", [LocalDagRunner, RayDagRunner])
@pytest.mark.parametrize("number", [None, 3])
def test_what_a_script_says_of_parallel_nodes_is_all_that_another_runner_hears(
    runner, number, tmp_path
):
    """A script for a cluster that is run here must not start all its nodes at once."""
    requests = []
    with script_runs.handled_by(requests.append):
        runner(max_parallel=number).run(Pipeline("p", str(tmp_path), components=[count()]))
    assert requests[0].max_parallel == number
