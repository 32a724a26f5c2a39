"""A pipeline whose root is in an object store: user code works with local paths and never knows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import uuid
from pathlib import Path

import pytest
from click.testing import CliRunner

from trainwright import (
    Importer,
    InputArtifact,
    LocalDagRunner,
    OutputArtifact,
    OutputDict,
    Parameter,
    Pipeline,
    PipelineRunError,
    component,
    open_store,
)
from trainwright.cli.main import cli
from trainwright.dsl.conditional import Cond
from trainwright.metadata.connection import sqlite_metadata_connection_config
from trainwright.metadata.records import ExecutionState
from trainwright.orchestration.cleanup.garbage import collect, plan_collection
from trainwright.orchestration.events import RunEventKind
from trainwright.orchestration.publishing import claims, layout, result_file
from trainwright.orchestration.publishing.work_files import (
    discard_stale_work,
    in_use,
    make_work_directory,
)
from trainwright.storage import objects, uris
from trainwright.storage.local_copies import default_copies
from trainwright.types import standard_artifacts


@pytest.fixture
def bucket(tmp_path, monkeypatch):
    """A bucket of the test's own in the machine's memory, and a host with an empty cache."""
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    uri = f"memory://test-{uuid.uuid4().hex[:12]}"
    yield uri
    objects.remove_tree(uri)


@pytest.fixture
def store(tmp_path):
    return tmp_path / "metadata.db"


@component
def make_words(count: Parameter[int], words: OutputArtifact[standard_artifacts.Examples]):
    directory = Path(words.uri)
    assert directory.is_dir()
    (directory / "Split-train").mkdir()
    (directory / "Split-train" / "words").write_text("word " * count)
    (directory / "Split-eval").mkdir()
    words.set_string_custom_property("place", words.uri)


@component
def count_words(words: InputArtifact[standard_artifacts.Examples]) -> OutputDict(count=int):
    directory = Path(words.uri)
    assert sorted(path.name for path in directory.iterdir()) == ["Split-eval", "Split-train"]
    return {"count": len((directory / "Split-train" / "words").read_text().split())}


@component
def double(count: int) -> OutputDict(doubled=int):
    return {"doubled": 2 * count}


def connection(store):
    return sqlite_metadata_connection_config(str(store)) if store else None


def words_pipeline(root, store, count=3, **options):
    words = make_words(count=count)
    counted = count_words(words=words.outputs["words"])
    doubled = double(count=counted.outputs["count"])
    return Pipeline(
        "words",
        root,
        components=[words, counted, doubled],
        enable_cache=True,
        metadata_connection_config=connection(store),
        **options,
    )


def run(root, store, **options):
    return LocalDagRunner().run(words_pipeline(root, store, **options))


def names_below(uri):
    return [uris.relative(facts.uri, uri) for facts in objects.list_tree(uri)]


def states(result):
    return {node: state.value for node, state in result.states.items()}


def forget_copies():
    """As on another machine: nothing is left of what this one has fetched."""
    shutil.rmtree(default_copies().directory, ignore_errors=True)


def test_outputs_lie_in_the_store_and_a_second_run_reuses_everything(bucket, store):
    root = f"{bucket}/root"
    result = run(root, store)
    assert objects.read(result["double"].doubled.uri) == b"6"
    assert result["make_words"].words.uri == f"{root}/make_words/words/1"
    assert objects.read(f"{root}/make_words/words/1/Split-train/words") == b"word word word "
    assert objects.exists(f"{root}/make_words/.system/executor_execution/1/executor.log")
    again = run(root, store)
    assert set(states(again).values()) == {"cached"}
    assert os.listdir(layout.work_home()) == []


def test_another_machine_fetches_what_it_reads_with_empty_splits(bucket, store):
    root = f"{bucket}/root"
    run(root, store)
    forget_copies()
    pipeline = words_pipeline(root, store)
    pipeline.components[1].with_cache(False)
    result = LocalDagRunner().run(pipeline)
    assert states(result) == {
        "make_words": "cached",
        "count_words": "complete",
        "double": "complete",
    }


def test_a_property_that_names_a_local_path_names_the_object_afterwards(bucket, store):
    result = run(f"{bucket}/root", store)
    words = result["make_words"].words
    assert words.custom_properties["place"] == words.uri


def test_a_lost_object_is_made_again(bucket, store):
    root = f"{bucket}/root"
    run(root, store)
    objects.remove(f"{root}/make_words/words/1/Split-train/words")
    forget_copies()
    result = run(root, store)
    assert states(result)["make_words"] == "complete"


def test_an_object_that_was_replaced_is_not_taken_for_the_input(bucket, store):
    root = f"{bucket}/root"
    run(root, store)
    objects.write(f"{root}/make_words/words/1/Split-train/words", b"WORD word word ")  # same size
    forget_copies()
    pipeline = words_pipeline(root, store)
    pipeline.components[1].with_cache(False)
    with pytest.raises(PipelineRunError, match="Split-train/words"):
        LocalDagRunner().run(pipeline)


@component
def fail(words: InputArtifact[standard_artifacts.Examples]):
    print("about to fail")
    raise ValueError("this node fails")


def test_the_log_of_a_failed_node_lies_in_the_store_and_can_be_shown(bucket, store, monkeypatch):
    words = make_words(count=1)
    failing = fail(words=words.outputs["words"])
    pipeline = Pipeline(
        "failing",
        f"{bucket}/root",
        components=[words, failing],
        metadata_connection_config=connection(store),
    )
    with pytest.raises(PipelineRunError, match=r"memory://.*executor\.log") as raised:
        LocalDagRunner().run(pipeline)
    assert "this node fails" in str(raised.value)
    forget_copies()
    shown = CliRunner().invoke(cli, ["logs", "fail", "--store", str(store)])
    assert "about to fail" in shown.output
    assert "ValueError: this node fails" in shown.output
    log = f"{bucket}/root/fail/.system/executor_execution/2/executor.log"
    for what in (["latest"], ["latest", "fail"]):
        told = CliRunner().invoke(cli, ["show", *what, "--store", str(store)])
        assert log in told.output
    events = CliRunner().invoke(cli, ["logs", "-f", "latest", "--store", str(store)])
    assert "fail" in events.output, events.output


def test_gc_removes_objects_and_what_another_store_made_stays(bucket, store, tmp_path):
    root = f"{bucket}/root"
    run(root, store, count=1)
    run(root, tmp_path / "other.db", count=5)
    run(root, store, count=2)
    with open_store(store) as opened:
        plan = plan_collection(opened, "words", keep=1)
        assert plan.size > 0
        deleted = collect(opened, plan)
    assert {artifact.uri for artifact in deleted} == {
        f"{root}/make_words/words/1",
        f"{root}/count_words/count/2/value",
        f"{root}/double/doubled/3/value",
    }
    left = names_below(root)
    assert not any(name.startswith("make_words/words/1/") for name in left)
    assert "make_words/words/1.1/Split-train/words" in left, "the other store's"
    assert set(states(run(root, store, count=2)).values()) == {"cached"}


def test_a_root_in_which_another_store_has_executions_is_said_once(bucket, store, tmp_path):
    root = f"{bucket}/root"
    run(root, store)
    events = []
    runner = LocalDagRunner(observer=events.append)
    result = runner.run(words_pipeline(root, tmp_path / "other.db"))
    assert set(states(result).values()) == {"complete"}
    [warning] = [event for event in events if event.kind is RunEventKind.NODE_WARNING]
    assert f"another metadata store, {store}, has executions below" in warning.message
    assert f"in {root}/make_words/.system/executor_execution/1.1 for example" in warning.message
    assert "run with that store (--store, or metadata_connection_config)" in warning.message


def test_what_is_imported_from_a_store_is_staged(bucket, store):
    objects.write(f"{bucket}/data/Split-train/words", b"one two")
    objects.write(f"{bucket}/data/Split-eval/words", b"")

    def pipeline():
        imported = Importer(
            source_uri=f"{bucket}/data", artifact_type=standard_artifacts.Examples
        ).with_id("words")
        counted = count_words(words=imported.outputs["result"])
        return Pipeline(
            "importing",
            f"{bucket}/root",
            components=[imported, counted],
            enable_cache=True,
            metadata_connection_config=connection(store),
        )

    first = LocalDagRunner().run(pipeline())
    assert objects.read(first["count_words"].count.uri) == b"2"
    assert states(LocalDagRunner().run(pipeline()))["count_words"] == "cached"
    objects.write(f"{bucket}/data/Split-train/words", b"one two three")
    third = LocalDagRunner().run(pipeline())
    assert objects.read(third["count_words"].count.uri) == b"3"


def test_values_decide_conditions(bucket, store):
    words = make_words(count=4)
    counted = count_words(words=words.outputs["words"])
    with Cond(counted.outputs["count"].future()[0].value > 3):
        many = double(count=counted.outputs["count"]).with_id("many")
    with Cond(counted.outputs["count"].future()[0].value <= 3):
        few = double(count=counted.outputs["count"]).with_id("few")
    pipeline = Pipeline(
        "conditions",
        f"{bucket}/root",
        components=[words, counted, many, few],
        metadata_connection_config=connection(store),
    )
    result = LocalDagRunner().run(pipeline)
    assert states(result)["many"] == "complete"
    assert states(result)["few"] == "skipped"


def test_a_root_without_a_store_gets_one_of_the_user(bucket, state_home):
    run(f"{bucket}/root", None)
    assert set(states(run(f"{bucket}/root", None)).values()) == {"cached"}
    [found] = state_home.rglob("metadata.db")
    assert "roots" in found.parts


@component
def look(words: InputArtifact[standard_artifacts.Examples]) -> OutputDict(uri=str):
    return {"uri": words.uri}


def test_a_node_may_have_the_uris_instead(bucket, store):
    words = make_words(count=1)
    looking = look(words=words.outputs["words"]).with_staging(False)
    pipeline = Pipeline(
        "looking",
        f"{bucket}/root",
        components=[words, looking],
        metadata_connection_config=connection(store),
    )
    result = LocalDagRunner().run(pipeline)
    assert objects.read(result["look"].uri.uri).decode() == result["make_words"].words.uri


SCRIPT = """
    import os, signal, sys, time
    from pathlib import Path
    from trainwright import LocalDagRunner, OutputArtifact, Parameter, Pipeline, component
    from trainwright.metadata.connection import sqlite_metadata_connection_config
    from trainwright.types import standard_artifacts

    @component
    def train(
        trouble: Parameter[str],
        model: OutputArtifact[standard_artifacts.Model],
        run: OutputArtifact[standard_artifacts.ModelRun],
    ):
        Path(run.uri, "checkpoint").write_text("step 7")
        Path(model.uri, "weights").write_text("whole")
        if not Path(trouble).exists():
            Path(trouble).touch()
            time.sleep(0.5)
            os.kill(os.getppid() if "{who}" == "zygote" else os.getpid(), signal.SIGKILL)
            time.sleep(60)

    root, store, trouble = sys.argv[1:]
    config = sqlite_metadata_connection_config(store)
    nodes = [train(trouble=trouble)]
    LocalDagRunner().run(Pipeline("killed", root, config, nodes))
"""


def test_what_a_killed_worker_kept_is_in_the_store_and_nothing_half_made_counts(
    bucket, store, tmp_path
):
    script = tmp_path / "pipeline.py"
    script.write_text(textwrap.dedent(SCRIPT).replace("{who}", "worker"))
    command = [sys.executable, str(script), f"{bucket}/root", str(store), str(tmp_path / "seen")]
    first = subprocess.run(command, capture_output=True, text=True, check=False)
    assert first.returncode != 0
    root = f"{bucket}/root"
    assert objects.read(f"{root}/train/run/1/checkpoint") == b"step 7"
    assert not objects.exists(f"{root}/train/model/1")
    assert not objects.exists(f"{root}/train/.system/executor_execution/1/result.json")
    subprocess.run(command, check=True, capture_output=True)
    assert objects.read(f"{root}/train/model/2/weights") == b"whole"
    with open_store(store) as opened:
        ended = [execution.state for execution in opened.get_executions()]
    assert ended == [ExecutionState.COMPLETE, ExecutionState.FAILED]


def test_a_root_that_cannot_be_is_refused_before_anything_is_written(store):
    for root, problem in [
        ("hdfs://name/root", "hdfs"),
        ("memory://", "bucket"),
        ("memory://bucket/a/../b", r"\.\."),
    ]:
        with pytest.raises(ValueError, match=problem):
            run(root, store)
    assert not store.exists()


KILLED_WHEN_PUBLISHED = """
    import os, signal, sys
    from pathlib import Path
    from trainwright import LocalDagRunner, OutputDict, Pipeline, component
    from trainwright.metadata.connection import sqlite_metadata_connection_config
    from trainwright.orchestration.publishing.publisher import Publisher

    @component
    def count() -> OutputDict(total=int):
        return {"total": 1}

    root, store, seen = sys.argv[1:]
    if not Path(seen).exists():
        Path(seen).touch()
        publish = Publisher.publish

        def publish_and_die(self, *arguments):
            publish(self, *arguments)
            os.kill(os.getpid(), signal.SIGKILL)

        Publisher.publish = publish_and_die
    config = sqlite_metadata_connection_config(store)
    LocalDagRunner().run(Pipeline("killed", root, config, [count()], enable_cache=True))
"""


def test_what_a_run_left_on_this_machine_that_died_when_it_had_published_goes(
    bucket, store, tmp_path
):
    script = tmp_path / "pipeline.py"
    script.write_text(textwrap.dedent(KILLED_WHEN_PUBLISHED))
    command = [sys.executable, str(script), f"{bucket}/root", str(store), str(tmp_path / "seen")]
    assert subprocess.run(command, capture_output=True).returncode != 0
    assert os.listdir(layout.work_home()) != []
    again = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "count: cached" in again.stderr
    assert os.listdir(layout.work_home()) == []


def test_work_that_nobody_came_back_to_goes_after_days(bucket):
    """As of a machine of a cluster whose processes were lost together."""
    places = [f"{bucket}/root/train/.system/executor_execution/{number}" for number in (1, 2, 3)]
    left, unnamed, recent = map(make_work_directory, places)
    with in_use(places[0]):
        pass
    for work in (left, unnamed):
        os.utime(work, (0, 0))
    with in_use(f"{bucket}/root/train/.system/executor_execution/4"):
        discard_stale_work()
    assert not os.path.exists(left)
    assert not os.path.exists(unnamed)
    assert len(os.listdir(layout.work_home())) == 2
    assert os.path.exists(recent)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("TRAINWRIGHT_CACHE_BYTES", "1GB", "'1GB': expected a number of bytes"),
        ("TRAINWRIGHT_CACHE_DIR", "/proc/x", "'/proc/x' cannot be made"),
    ],
)
def test_a_cache_that_cannot_be_is_refused_before_the_run(
    bucket, store, monkeypatch, name, value, words
):
    monkeypatch.setenv(name, value)
    config = sqlite_metadata_connection_config(str(store))
    for root, source in ((f"{bucket}/root", None), (str(store.parent), f"{bucket}/words")):
        node = Importer(source, artifact_type=standard_artifacts.Examples) if source else None
        nodes = [node] if node is not None else [make_words(count=1)]
        with pytest.raises(ValueError, match=f"{name}.* {words}"):
            LocalDagRunner().run(Pipeline("p", root, config, nodes))
        assert not store.exists()


def test_what_is_too_large_to_be_ours_is_not_read(bucket, monkeypatch):
    """Anybody with rights in the bucket may put it there."""
    directory = f"{bucket}/root/Node/.system/executor_execution/1"
    owner = f"{directory}/owner"
    claims.claim(directory, "abc", "/a/store.db")
    assert claims.is_marked(directory, "abc")
    objects.write(owner, objects.read(owner) + b" " * 5000)
    assert not claims.is_marked(directory, "abc")
    result = b'{"outputs": {}, "manifests": {}, "first_party_files": {}}'
    objects.write(f"{directory}/result.json", result)
    assert result_file.read_result(f"{directory}/result.json") is not None
    monkeypatch.setattr(result_file, "_LARGEST_RESULT", len(result) - 1)
    assert result_file.read_result(f"{directory}/result.json") is None
