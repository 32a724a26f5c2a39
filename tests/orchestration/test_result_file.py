"""Result files: what stands in their place is not waited for."""

import os

from trainwright.orchestration.result_file import (
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
