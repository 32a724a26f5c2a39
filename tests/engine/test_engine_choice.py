"""The engine of a pipeline: by name, from another package, in every component that has passes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trainwright import LocalDagRunner, Pipeline
from trainwright._plugins import PluginError
from trainwright.components import CsvExampleGen, StatisticsGen
from trainwright.engine import choice
from trainwright.engine.choice import EngineChoiceError, check_engine, open_engine
from trainwright.engine.local_engine import LocalEngine, available_processors
from trainwright.orchestration.run_result import NodeState
from trainwright.testing.engine_contract import JOIN, EngineContract, word_shards

BROKEN = """
    nothing = None
    def number(address=""):
        return 3
"""


class TestElsewhere(EngineContract):
    @pytest.fixture
    def engine(self, elsewhere):
        return open_engine("elsewhere")


def test_nobody_and_local_choose_the_local_engine():
    for name in (None, "local", "local://", "local://?processes=3"):
        check_engine(name)
        assert isinstance(open_engine(name), LocalEngine)
    assert open_engine("local://?processes=3")._processes == 3
    assert open_engine("local")._processes == available_processors()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("?processes=0", "has '0' for a number: expected one of at least 1"),
        ("?processes=many", "has 'many' for a number"),
        ("?threads=2", "an option 'threads' .*'processes'"),
        ("host:80", r"expected local alone, or local://\?processes=2"),
    ],
)
def test_refuses_options_that_the_local_engine_does_not_have(options, words):
    for refused in (check_engine, open_engine):
        with pytest.raises(EngineChoiceError, match=words):
            refused(f"local://{options}")


def test_an_address_goes_to_the_engine(elsewhere, tmp_path):
    with open_engine(f"elsewhere://{tmp_path}/notes.txt") as engine:
        assert engine.accumulate(JOIN, word_shards("a", "b")) == "a-b"
    assert len((tmp_path / "notes.txt").read_text().splitlines()) == 2


def test_an_unknown_name_is_refused_before_the_run_with_those_there_are(elsewhere, tmp_path):
    pipeline = Pipeline("p", str(tmp_path / "root"), components=[], engine="elsewere://h")
    with pytest.raises(EngineChoiceError, match="'elsewere'; did you mean 'elsewhere'.*'local'"):
        LocalDagRunner().run(pipeline)
    assert not (tmp_path / "root").exists()
    with pytest.raises(EngineChoiceError, match="no engine 'spark'"):
        open_engine("spark")


def test_what_is_not_an_engine_is_refused_with_its_package(install_package):
    offered = {"number": "broken:number", "nothing": "broken:nothing", "gone": "broken:gone"}
    install_package("broken-engines", {choice.PLUGIN_GROUP: offered}, broken=BROKEN)
    for name, problem in (
        ("number", "made a int: expected an object of a subclass"),
        ("gone", "cannot be imported"),
    ):
        check_engine(name)
        with pytest.raises(PluginError, match=f"'{name}'.* of broken-engines, which {problem}"):
            open_engine(name)


def test_two_packages_with_one_name_are_refused_before_the_run(elsewhere, install_package):
    install_package("rival", {choice.PLUGIN_GROUP: {"elsewhere": "collections:OrderedDict"}})
    with pytest.raises(PluginError, match="offered by far-away .* and rival "):
        check_engine("elsewhere")


@pytest.mark.parametrize("engine", [LocalEngine(1), ""])
def test_a_pipeline_and_a_runner_take_names_alone(engine):
    with pytest.raises(TypeError, match='such as "local".*process of its own'):
        Pipeline("p", "root", components=[], engine=engine)
    with pytest.raises(TypeError, match='such as "local".*process of its own'):
        LocalDagRunner(engine=engine)


def make_pipeline(root: Path, data: Path, engine: str | None) -> Pipeline:
    examples = CsvExampleGen(input_base=str(data))
    statistics = StatisticsGen(examples=examples.outputs.examples)
    return Pipeline("p", str(root), components=[statistics], enable_cache=True, engine=engine)


def contents(root: Path) -> dict[str, bytes]:
    """The files of the statistics."""
    directory = root / "StatisticsGen" / "statistics"
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def test_artifacts_do_not_depend_on_the_engine_and_nor_does_the_cache(elsewhere, tmp_path):
    pytest.importorskip("tfx_bsl", reason="pip install 'trainwright[transform]'")
    data, root, notes = tmp_path / "data", tmp_path / "root", tmp_path / "notes.txt"
    data.mkdir()
    rows = [f"word{number % 37},{number * 0.5}" for number in range(400)]
    (data / "rows.csv").write_text("\n".join(["word,size", *rows]))

    LocalDagRunner().run(make_pipeline(root, data, None))
    local = contents(root)
    shutil.rmtree(root)
    LocalDagRunner().run(make_pipeline(root, data, f"elsewhere://{notes}"))

    assert len(local) == 2
    assert contents(root) == local
    assert notes.read_text().count("StatisticsPass") == 2
    # The result does not depend on the engine, so another one runs nothing again.
    notes.unlink()
    for engine in (f"elsewhere://{notes}?again", "local", None):
        again = LocalDagRunner(engine=engine).run(make_pipeline(root, data, "local"))
        assert set(again.states.values()) == {NodeState.CACHED}


def test_the_runners_engine_goes_before_the_pipelines(elsewhere, tmp_path):
    pipeline = Pipeline("p", str(tmp_path / "root"), components=[], engine="nothing-has-this-name")
    LocalDagRunner(engine="elsewhere").run(pipeline)
    with pytest.raises(EngineChoiceError, match="nothing-has-this-name"):
        LocalDagRunner().run(pipeline)
