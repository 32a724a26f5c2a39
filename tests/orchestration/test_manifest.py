"""Manifests: what they list, and which damage they find."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from trainwright.orchestration.manifest import (
    find_damage,
    list_files,
    size_of,
    write_through,
)


@pytest.fixture
def artifact(tmp_path):
    directory = tmp_path / "artifact"
    (directory / "Split-train").mkdir(parents=True)
    (directory / "Split-train/data").write_bytes(b"123456789")
    (directory / "empty").touch()
    return directory


def test_every_file_is_listed_with_its_size_and_checksum(artifact):
    manifest = write_through(str(artifact))
    assert manifest.keys() == {"Split-train/data", "empty"}
    # The check value of CRC32C.
    assert manifest["Split-train/data"][0] == 9
    assert manifest["Split-train/data"][2] == 0xE3069283
    assert find_damage(str(artifact), manifest) is None
    assert size_of(str(artifact)) == 9


def test_a_value_is_one_file(tmp_path):
    path = tmp_path / "1/value"
    path.parent.mkdir()
    path.write_text("42")
    manifest = write_through(str(path))
    assert manifest.keys() == {""}
    path.write_text("43")
    os.utime(path, (0, 0))
    assert find_damage(str(path), manifest) == f"{path} was changed"


def test_links_are_listed_and_not_followed(artifact, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "large").write_bytes(bytes(1000))
    (artifact / "link").symlink_to(outside)
    (artifact / "broken").symlink_to("nowhere")
    manifest = write_through(str(artifact))
    assert manifest.keys() == {"Split-train/data", "empty", "link", "broken"}
    assert find_damage(str(artifact), manifest) is None
    (artifact / "link").unlink()
    (artifact / "link").symlink_to("elsewher")  # as long as before
    assert find_damage(str(artifact), manifest) is not None


@pytest.mark.parametrize("list_them", [write_through, list_files])
@pytest.mark.parametrize("kind", ["a named pipe", "a device"])
def test_what_is_no_file_is_refused(artifact, list_them, kind):
    if kind == "a named pipe":
        os.mkfifo(artifact / "special")
    else:
        (artifact / "special").symlink_to("/dev/zero")
    with pytest.raises(ValueError, match=f"{artifact}/special' is {kind}. Only files"):
        list_them(str(artifact))


def test_an_import_with_a_link_that_leads_nowhere_is_refused(artifact):
    (artifact / "broken").symlink_to("nowhere")
    with pytest.raises(ValueError, match="broken' is a link that leads nowhere"):
        list_files(str(artifact))


def test_a_file_that_became_a_named_pipe_is_damage(artifact):
    manifest = write_through(str(artifact))
    (artifact / "empty").unlink()
    os.mkfifo(artifact / "empty")
    assert find_damage(str(artifact), manifest) == f"{artifact}/empty is a named pipe"


def test_an_added_named_pipe_is_a_change(artifact):
    manifest = list_files(str(artifact))
    os.mkfifo(artifact / "pipe")
    assert find_damage(str(artifact), manifest) == f"{artifact}/pipe was added"


def test_an_artifact_without_a_manifest_only_has_to_be_there(artifact):
    assert find_damage(str(artifact), None) is None
    assert find_damage(str(artifact / "gone"), None) == f"{artifact / 'gone'} is gone"


def test_an_empty_artifact_has_to_be_there_too(tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    manifest = write_through(str(empty))
    assert manifest == {}
    empty.rmdir()
    assert find_damage(str(empty), manifest) == f"{empty} is gone"


def test_names_that_are_no_text(artifact):
    (artifact / os.fsdecode(b"\xff\xfe")).touch()
    manifest = write_through(str(artifact))
    assert find_damage(str(artifact), manifest) is None
    Path(artifact, os.fsdecode(b"\xff\xfe")).unlink()
    assert find_damage(str(artifact), manifest) is not None


def test_a_file_that_is_not_listed_makes_an_artifact_another(artifact):
    manifest = write_through(str(artifact))
    copied = artifact / "Split-train/data-2"
    copied.write_bytes(b"123456789")
    assert find_damage(str(artifact), manifest) == f"{copied} was added"
    copied.unlink()
    copied.symlink_to(artifact / "Split-train/data")
    assert find_damage(str(artifact), manifest) == f"{copied} was added"


def test_a_directory_that_became_a_link(artifact, tmp_path):
    manifest = write_through(str(artifact))
    split, moved = artifact / "Split-train", tmp_path / "moved"
    split.rename(moved)
    split.symlink_to(moved)
    assert find_damage(str(artifact), manifest) == f"{split} has become a link"
    split.unlink()
    moved.rename(split)
    artifact.rename(moved)
    artifact.symlink_to(moved)
    assert find_damage(str(artifact), manifest) == f"{artifact} has become a link"
    assert find_damage(str(artifact), manifest, may_be_link=True) is None, "as of an import"


def test_a_value_whose_directory_became_a_link(tmp_path):
    directory = tmp_path / "1"
    directory.mkdir()
    (directory / "value").write_text("42")
    manifest = write_through(str(directory / "value"))
    directory.rename(tmp_path / "moved")
    directory.symlink_to(tmp_path / "moved")
    assert find_damage(str(directory / "value"), manifest) == f"{directory} has become a link"


@pytest.mark.parametrize(
    "left",
    [
        "__pycache__/module.pyc",
        "sub/.ipynb_checkpoints/copy",
        ".DS_Store",
        ".nfs00000000a1",
        "train/plugins/profile/2026/ALL_HOSTS.op_stats.pb",
    ],
)
def test_what_tools_leave_beside_the_data_does_no_harm(artifact, left):
    manifest = write_through(str(artifact))
    (artifact / left).parent.mkdir(parents=True, exist_ok=True)
    (artifact / left).touch()
    assert find_damage(str(artifact), manifest) is None
    # What was there from the beginning is part of the artifact.
    manifest = write_through(str(artifact))
    (artifact / left).unlink()
    assert find_damage(str(artifact), manifest) == f"{artifact / left} is gone"
