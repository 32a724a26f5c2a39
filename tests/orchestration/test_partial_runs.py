"""Runs of a part of a pipeline: from a node, up to a node."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, RunOptions, component
from trainwright.orchestration.run_options import select_nodes


@component
def number(value: Parameter[int]) -> OutputDict(out=int):
    return {"out": value}


@component
def add(left: int, right: int) -> OutputDict(out=int):
    return {"out": left + right}


def diamond(root: Path, left: int = 1, enable_cache: bool = False) -> Pipeline:
    """left and right make the sum, of which twice makes the double."""
    first = number(value=left).with_id("left")
    second = number(value=10).with_id("right")
    total = add(left=first.outputs["out"], right=second.outputs["out"]).with_id("sum")
    twice = add(left=total.outputs["out"], right=total.outputs["out"]).with_id("twice")
    return Pipeline(
        "p", str(root), components=[first, second, total, twice], enable_cache=enable_cache
    )


def run(pipeline: Pipeline, **options):
    chosen = RunOptions(**options) if options else None
    return LocalDagRunner(observer=lambda event: None).run(pipeline, chosen)


def states(result) -> dict[str, str]:
    return {node: state.value for node, state in result.states.items()}


def value(result, node: str) -> str:
    return Path(result.outputs[node]["out"][0].uri).read_text()


def test_a_run_from_a_node_uses_what_was_made_before(tmp_path):
    run(diamond(tmp_path))
    result = run(diamond(tmp_path), from_nodes=["sum"])
    assert states(result) == {
        "left": "cached",
        "right": "cached",
        "sum": "complete",
        "twice": "complete",
    }
    assert value(result, "twice") == "22"


def test_a_run_up_to_a_node_leaves_the_rest_out(tmp_path):
    assert states(run(diamond(tmp_path), to_nodes=["left"])) == {"left": "complete"}
    result = run(diamond(tmp_path), from_nodes=["right"], to_nodes=["sum"])
    assert states(result) == {"left": "cached", "right": "complete", "sum": "complete"}


def test_the_newest_outputs_are_used_or_those_of_a_named_run(tmp_path):
    first = run(diamond(tmp_path, left=1))
    run(diamond(tmp_path, left=2))
    assert value(run(diamond(tmp_path), from_nodes=["sum"]), "sum") == "12"
    result = run(diamond(tmp_path), from_nodes=["sum"], base_pipeline_run_id=first.run_id)
    assert value(result, "sum") == "11"


def test_a_run_after_a_partial_run_takes_over_what_it_made(tmp_path):
    run(diamond(tmp_path))
    run(diamond(tmp_path, left=5), to_nodes=["sum"])
    assert value(run(diamond(tmp_path), from_nodes=["twice"]), "twice") == "30"


def test_the_cache_works_in_a_partial_run(tmp_path):
    run(diamond(tmp_path, enable_cache=True))
    result = run(diamond(tmp_path, enable_cache=True), from_nodes=["sum"])
    assert set(states(result).values()) == {"cached"}


def test_outputs_that_are_missing_are_named_before_anything_runs(tmp_path):
    with pytest.raises(ValueError, match="no earlier run has finished it. Include it: begin with"):
        run(diamond(tmp_path), from_nodes=["sum"])
    run(diamond(tmp_path))
    (path,) = (tmp_path / "left/out").glob("*/value")
    path.unlink()
    with pytest.raises(ValueError, match=f"damaged: {path} is gone"):
        run(diamond(tmp_path), from_nodes=["sum"])
    with pytest.raises(ValueError, match="'yesterday' matches no run"):
        run(diamond(tmp_path), from_nodes=["sum"], base_pipeline_run_id="yesterday")


def test_what_is_left_out_is_not_checked(tmp_path):
    from trainwright.components import CsvExampleGen

    source = CsvExampleGen(input_base=str(tmp_path / "gone"))
    nodes = [source, number(value=1)]
    result = run(Pipeline("p", str(tmp_path), components=nodes), to_nodes=["number"])
    assert states(result) == {"number": "complete"}


def test_explain_knows_partial_runs(tmp_path):
    run(diamond(tmp_path))
    forecasts = LocalDagRunner().explain(
        diamond(tmp_path), RunOptions(from_nodes=["sum"], to_nodes=["sum"])
    )
    assert [(one.node_id, one.will_run) for one in forecasts] == [
        ("left", False),
        ("right", False),
        ("sum", True),
    ]


@pytest.mark.parametrize(
    ("options", "selected", "reused"),
    [
        ({"from_nodes": ["sum"]}, {"sum", "twice"}, {"left", "right"}),
        ({"to_nodes": ["sum"]}, {"left", "right", "sum"}, set()),
        ({"from_nodes": ["left"], "to_nodes": ["sum"]}, {"left", "sum"}, {"right"}),
        ({"from_nodes": ["twice"]}, {"twice"}, {"sum"}),
    ],
)
def test_selection(tmp_path, options, selected, reused):
    selection = select_nodes(diamond(tmp_path), RunOptions(**options))
    assert (selection.run, selection.reuse) == (selected, reused)


def test_bad_selections_are_told(tmp_path):
    with pytest.raises(ValueError, match="from_nodes or to_nodes cannot both be empty"):
        RunOptions()
    with pytest.raises(TypeError, match="a list of node ids, got the string 'sum'"):
        RunOptions(from_nodes="sum")
    with pytest.raises(ValueError, match="no node 'summ'; did you mean 'sum'"):
        select_nodes(diamond(tmp_path), RunOptions(from_nodes=["summ"]))
    with pytest.raises(ValueError, match="no way from twice to left .* Are they swapped"):
        select_nodes(diamond(tmp_path), RunOptions(from_nodes=["twice"], to_nodes=["left"]))
