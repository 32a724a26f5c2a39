"""The runs of a script that a worker executes again for its definitions."""

import textwrap

import pytest

from trainwright.orchestration.launching.user_code import load_script

SCRIPT = """
    from trainwright import LocalDagRunner, OutputDict, Pipeline, component

    @component
    def count() -> OutputDict(total=int):
        return {"total": 1}

    result = LocalDagRunner().run(Pipeline("p", "root", components=[count()]))
"""


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Loads a script as a worker does, in a directory of its own."""
    monkeypatch.chdir(tmp_path)

    def load(lines):
        path = tmp_path / "script.py"
        path.write_text(textwrap.dedent(SCRIPT) + lines)
        return load_script(str(path), "script_loaded_again")

    return load


def test_a_run_that_is_left_out_is_no_success_and_what_follows_is_defined(load, tmp_path):
    module = load("def helper():\n    return 5\n")
    assert module.helper() == 5
    assert not module.result.is_success
    assert module.result.state == "not run"
    assert not (tmp_path / "root").exists()


@pytest.mark.parametrize("lines", ["result.outputs['count']", "raise SystemExit(1)"])
def test_a_script_may_end_for_want_of_a_result(load, lines):
    assert load(lines).count is not None


def test_an_error_before_any_run_is_an_error(tmp_path):
    path = tmp_path / "script.py"
    path.write_text("raise KeyError('broken')")
    with pytest.raises(KeyError, match="broken"):
        load_script(str(path), "script_loaded_again")
