"""Inputs in an object store whose files the passes of an engine open by themselves."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from trainwright import LocalDagRunner, Pipeline
from trainwright.components import CsvExampleGen, SchemaGen, StatisticsGen
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
