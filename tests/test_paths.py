"""Paths that users give: what cannot be local or read like a file is refused in plain words."""

import os
import socket

import pytest

from trainwright._paths import (
    MissingInputError,
    check_can_write_below,
    check_file,
    check_local_path,
    check_not_special,
    kind_of,
)


@pytest.mark.parametrize(
    "path",
    [
        "gs://bucket/data",
        "S3://bucket",
        "hdfs://host/x",
        "abfss://c@a/x",
        "https://x",
        "gs:/bucket",
    ],
)
def test_a_remote_path_is_refused(path):
    with pytest.raises(ValueError, match=r"input_base of Gen '.*' is a remote path \(\w+\), but "):
        check_local_path(path, "input_base of Gen")


def test_a_file_url_is_answered_with_its_path():
    with pytest.raises(ValueError, match="is a URL. Give the path alone: '/srv/data'"):
        check_local_path("file:///srv/data", "input_base")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("a\0b", r"'a\\x00b' has a NUL character, which no path can have"),
        ("a\ud800b", r"has the character '\\ud800', which is not valid Unicode"),
        (os.fsdecode(b"caf\xe9"), r"has the character '\\udce9', which is not valid Unicode"),
    ],
)
def test_characters_that_no_stored_path_can_have_are_named(path, words):
    with pytest.raises(ValueError, match=words):
        check_local_path(path, "module_file of Trainer")


@pytest.mark.parametrize("path", ["data", "/srv/a:b/c", "C:/data", "~/x", "día/日本"])
def test_local_paths_pass(path):
    check_local_path(path, "input_base")


def test_special_files_are_named(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "zeros").symlink_to("/dev/zero")
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
    kinds = {name: kind_of(str(tmp_path / name)) for name in sorted(os.listdir(tmp_path))}
    assert kinds == {
        "dangling": "a link that leads nowhere",
        "file": "a file",
        "link": "a file",
        "pipe": "a named pipe",
        "socket": "a socket",
        "zeros": "a device",
    }
    for name in ("dangling", "pipe", "socket", "zeros"):
        with pytest.raises(ValueError, match=f"The schema .*{name}' is a"):
            check_not_special(str(tmp_path / name), "The schema")
    for name in ("file", "link", "nothing"):
        check_not_special(str(tmp_path / name))


@pytest.mark.parametrize(
    ("directory", "words"),
    [
        ("/proc/models", r"nothing can be made in '/proc' \("),
        ("{tmp_path}/file/models", "'{tmp_path}/file' is a file, not a directory"),
        ("{tmp_path}/dangling", "dangling' is a link that leads nowhere, not a directory"),
        ("{tmp_path}/" + 300 * "x", "cannot be used: File name too long"),
    ],
)
def test_a_directory_that_cannot_be_written_to_is_found_by_trying(tmp_path, directory, words):
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to("nowhere")
    with pytest.raises(ValueError, match=words.format(tmp_path=tmp_path)):
        check_can_write_below(directory.format(tmp_path=tmp_path), "push_destination")


def test_trying_leaves_nothing(tmp_path):
    check_can_write_below(str(tmp_path / "a" / "b"), "push_destination")
    assert os.listdir(tmp_path) == []


def test_missing_permission_is_called_so(open_directory, only_reading):
    with (
        only_reading(open_directory),
        pytest.raises(ValueError, match=r"\(Permission denied\). Choose a directory"),
    ):
        check_can_write_below(str(open_directory / "new"), "pipeline_root")


def test_a_file_may_still_be_made_where_nothing_is_but_not_below_a_file(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(MissingInputError, match="does not exist"):
        check_file(str(tmp_path / "no" / "where"), "It")
    with pytest.raises(ValueError, match="does not exist") as caught:
        check_file(str(tmp_path / "file" / "below"), "It")
    assert not isinstance(caught.value, MissingInputError)
