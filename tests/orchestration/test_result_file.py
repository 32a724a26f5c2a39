"""Result files: what stands in their place is not waited for."""

import json
import os

from trainwright.orchestration.publishing.result_file import (
    discard_unfinished,
    is_result,
    read_result,
    take_failure,
    write_failure,
    write_result,
)

RESULT = {"outputs": {}, "manifests": {}, "first_party_files": {}}
FAILURE = {"type": "ValueError", "message": "no"}


def test_what_is_written_is_read(tmp_path):
    path = str(tmp_path / "result.json")
    write_result(path, RESULT)
    write_failure(path, FAILURE)
    assert read_result(path) == RESULT
    assert take_failure(path) == FAILURE
    assert os.listdir(tmp_path) == ["result.json"]


def test_a_named_pipe_or_a_device_is_no_result(tmp_path):
    path = str(tmp_path / "result.json")
    write_failure(path, FAILURE)
    [failure] = os.listdir(tmp_path)
    os.remove(tmp_path / failure)
    os.mkfifo(tmp_path / failure)
    os.symlink("/dev/zero", path)
    assert read_result(path) is None
    assert take_failure(path) is None
    assert os.listdir(tmp_path) == ["result.json"]


def make_result(uri="bq://table", name="", manifest=None):
    artifact = {"id": 1, "uri": uri, "name": name, "properties": {}, "custom_properties": {}}
    return RESULT | {"outputs": {"out": [artifact]}, "manifests": {"out": [manifest]}}


def test_texts_that_no_store_holds_and_names_outside_of_an_artifact_make_no_result(tmp_path):
    assert is_result(make_result(manifest={"": [1, 1, 1], "a/..b/c": [1, 1, 1]}))
    assert is_result(make_result(name=None))
    for text in ("a\ud800b", "a\0b"):
        assert not is_result(make_result(uri=text))
        assert not is_result(make_result(name=text))
    for name in ("a\0b", "/etc/passwd", "..", "../x", "a/../../x"):
        assert not is_result(make_result(manifest={name: [1, 1, 1]}))


def test_a_result_about_files_that_cannot_be_looked_at_is_none(tmp_path):
    path = tmp_path / "result.json"
    path.write_text(json.dumps(make_result(str(tmp_path), manifest={"\ud800": [1, 1, 1]})))
    assert read_result(str(path)) is None


def test_a_pipe_where_a_result_may_be_written_first_holds_no_worker(tmp_path):
    path = str(tmp_path / "result.json")
    os.mkfifo(f"{path}.part")
    write_result(path, RESULT)
    assert read_result(path) == RESULT
    (tmp_path / "result.json.0123.part").touch()
    (tmp_path / "result.json.d.part").mkdir()
    discard_unfinished(path)
    assert sorted(os.listdir(tmp_path)) == ["result.json", "result.json.d.part"]
