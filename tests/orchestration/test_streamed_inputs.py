"""Inputs in an object store whose files the passes of an engine open by themselves."""

from __future__ import annotations

import functools
import json
import shutil
import uuid
from pathlib import Path

import google_crc32c
import pytest

from trainwright import LocalDagRunner, Pipeline, PipelineRunError
from trainwright.components import CsvExampleGen, SchemaGen, StatisticsGen
from trainwright.data.example_reading.example_files import ExampleFiles, find_files
from trainwright.engine.engine import ShardError
from trainwright.engine.local_engine import LocalEngine
from trainwright.engine.passes import MappingPass, PassSpec, Shard
from trainwright.engine.shard_files import expecting, local_copy
from trainwright.metadata.connection import sqlite_metadata_connection_config
from trainwright.storage import objects
from trainwright.storage.local_copies import default_copies, on_this_machine


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    bucket = f"memory://test-{uuid.uuid4().hex[:12]}"
    yield f"{bucket}/root"
    objects.remove_tree(bucket)


def statistics(directory, root, engine):
    data = directory / "data"
    data.mkdir(parents=True)
    (data / "rows.csv").write_text("number,word\n" + "1,one\n2,two\n3,three\n" * 20)
    example_gen = CsvExampleGen(input_base=str(data))
    statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
    schema_gen = SchemaGen(statistics=statistics_gen.outputs["statistics"])
    config = sqlite_metadata_connection_config(str(directory / "metadata.db"))
    nodes = [example_gen, statistics_gen, schema_gen]
    result = LocalDagRunner(engine=engine).run(Pipeline("streamed", root, config, nodes))
    found = Path(on_this_machine(result["StatisticsGen"].statistics.uri))
    return (found / "Split-train" / "FeatureStats.pb").read_bytes()


def test_an_engine_elsewhere_reads_the_files_from_the_store(tmp_path, root):
    """Beam's runner is in the node's process here; what matters is who opens the files."""
    local = statistics(tmp_path / "local", f"{root}/local", "local")
    beam = statistics(tmp_path / "beam", f"{root}/beam", "beam://?runner=InMemoryRunner")
    assert beam == local
    copies = Path(default_copies().directory)
    copied = [path.relative_to(copies).parts for path in copies.rglob("*.gz")]
    assert any(len(steps) == 4 for steps in copied), "files by themselves, not their artifact"


def replace_by_other_content(root):
    """Another content of the same size, as somebody with rights in the bucket could put there."""
    [facts] = [one for one in objects.list_tree(root) if "/Split-train/" in one.uri]
    objects.write(facts.uri, bytes(byte ^ 1 for byte in objects.read(facts.uri)))
    return facts.uri


@pytest.mark.parametrize("engine", ["local", "beam://?runner=InMemoryRunner"])
def test_examples_of_other_content_are_refused(tmp_path, root, engine):
    data = tmp_path / "data"
    data.mkdir()
    (data / "rows.csv").write_text("number\n" + "1\n2\n" * 20)
    example_gen = CsvExampleGen(input_base=str(data))
    statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
    config = sqlite_metadata_connection_config(str(tmp_path / "metadata.db"))
    pipeline = functools.partial(Pipeline, "replaced", root, config, enable_cache=True)
    runner = LocalDagRunner(engine=engine)
    runner.run(pipeline(components=[example_gen]))
    replaced = replace_by_other_content(root)
    shutil.rmtree(tmp_path / "cache")
    with pytest.raises(PipelineRunError) as failure:
        runner.run(pipeline(components=[example_gen, statistics_gen]))
    assert f"{replaced!r} is damaged: its content has the checksum" in str(failure.value)


class ReadFile(MappingPass):
    def write(self, shard, report):
        with local_copy(shard.config["path"]) as path:
            return {"text": Path(path).read_text()}


@pytest.mark.parametrize("place", [lambda uri: uri, lambda uri: f"{uri}/Split-train"])
def test_a_shard_takes_along_what_its_file_must_be(root, place):
    directory = place(root)
    uri = f"{directory}/a.txt"
    objects.write(uri, b"told")
    with expecting({uri: [4, 0, google_crc32c.value(b"told")], f"{root}/empty/": [0, 0, 0]}):
        objects.write(f"{directory}/added.txt", b"by somebody else")
        paths = find_files(directory, "*")
        fields = [*ExampleFiles(paths=paths).shards(), *ExampleFiles(paths=paths).shards()]
        assert find_files(f"{root}/empty", "*") == []
    assert paths == [uri]
    shards = [Shard.from_json(json.loads(json.dumps(one))) for one in fields]
    spec = PassSpec(f"{__name__}:ReadFile")
    assert LocalEngine(1).map(spec, shards[:1]) == [{"text": "told"}]
    objects.write(uri, b"lies")
    shutil.rmtree(default_copies().directory)
    for engine in (LocalEngine(1), LocalEngine(2, inline_bytes=0)):
        with pytest.raises(ShardError, match="is damaged: its content has the checksum"):
            engine.map(spec, shards)
