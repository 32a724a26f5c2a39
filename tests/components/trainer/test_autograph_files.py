"""The code that autograph generates lies in the node's own directory, and goes with it."""

from __future__ import annotations

import os
import sys

from trainwright import LocalDagRunner, OutputDict, Pipeline, component
from trainwright._autograph_files import keep_autograph_files_in


def test_what_autograph_writes_is_in_the_directory(tmp_path, monkeypatch):
    import tensorflow as tf
    from tensorflow.python.autograph.pyct import loader

    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(loader, "tempfile", loader.tempfile)  # as it was, when this is over
    monkeypatch.setenv("TRAINWRIGHT_AUTOGRAPH_DIRECTORY", "")
    keep_autograph_files_in(str(tmp_path / "node/autograph"))

    @tf.function
    def count(numbers):
        total = 0
        for number in numbers:
            total += number
        return total

    assert int(count(tf.constant([1, 2, 3]))) == 6
    assert list((tmp_path / "node/autograph").glob("__autograph_generated_file*.py"))
    assert list(temporary.rglob("*")) == []


@component
def look() -> OutputDict(found=str):
    return {"found": os.environ["TRAINWRIGHT_AUTOGRAPH_DIRECTORY"]}


def test_a_node_has_a_directory_of_its_own(tmp_path):
    result = LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[look()]))
    (record,) = result.outputs["look"]["found"]
    with open(record.uri) as file:
        assert file.read() == str(tmp_path / "look/.system/executor_execution/1/.temp/autograph")
    assert not (tmp_path / "look/.system/executor_execution/1/.temp").exists()
