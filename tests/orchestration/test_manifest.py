"""Manifests: what they list, and which damage they find."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from trainwright.orchestration.publishing import manifest as manifest_module
from trainwright.orchestration.publishing.manifest import (
    find_damage,
    list_files,
    list_for_upload,
    size_of,
    write_through,
)
from trainwright.orchestration.publishing.result_file import is_result

ENCODED = {"uri": "/a", "id": 1, "name": "", "properties": {}, "custom_properties": {}}


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


def test_a_link_in_an_output_that_leads_nowhere_by_now_is_damage(artifact, tmp_path):
    target = tmp_path / "elsewhere"
    target.mkdir()
    (artifact / "link").symlink_to(target)
    (artifact / "broken").symlink_to("nowhere")
    manifest = write_through(str(artifact))
    assert find_damage(str(artifact), manifest) is None
    (target / "data").write_text("what is there belongs to somebody else")
    assert find_damage(str(artifact), manifest) is None
    target.rename(tmp_path / "gone")
    damage = f"{artifact}/link is a link that leads nowhere now"
    assert find_damage(str(artifact), manifest) == damage
    before = {name: facts[:3] for name, facts in manifest.items()}
    assert find_damage(str(artifact), before) is None, "as listed before links were looked behind"


@pytest.fixture
def linked(artifact, tmp_path):
    """An import that is linked together: a file, and a directory with a directory in it."""
    behind = tmp_path / "behind"
    (behind / "directory/inner").mkdir(parents=True)
    (behind / "directory/inner/data").write_text("inner")
    (behind / "file").write_text("file")
    (artifact / "file").symlink_to(behind / "file")
    (artifact / "directory").symlink_to(behind / "directory")
    return artifact


def test_an_import_is_what_its_links_lead_to(linked, tmp_path):
    manifest = list_files(str(linked))
    assert manifest.keys() == {"Split-train/data", "empty", "file", "directory/inner/data"}
    assert manifest["file"][0] == 4
    assert find_damage(str(linked), manifest, is_imported=True) is None
    inner = tmp_path / "behind/directory/inner"
    for change, said in [
        (lambda: (inner / "data").write_text("other"), "inner/data was changed"),
        (lambda: (inner / "data").write_text("longer"), "inner/data has 6 bytes instead of 5"),
        (lambda: (inner / "more").touch(), "inner/more was added"),
        (lambda: (inner / "data").unlink(), "inner/data is gone"),
    ]:
        before = list_files(str(linked))
        change()
        damage = find_damage(str(linked), before, is_imported=True)
        assert damage == f"{linked}/directory/{said}"


def test_an_import_that_is_a_link_to_a_file(tmp_path):
    (tmp_path / "data").write_text("1")
    (tmp_path / "link").symlink_to("data")
    manifest = list_files(str(tmp_path / "link"))
    os.utime(tmp_path / "data", (1, 1))
    assert find_damage(str(tmp_path / "link"), manifest, is_imported=True) is None
    (tmp_path / "data").write_text("2")
    damage = find_damage(str(tmp_path / "link"), manifest, is_imported=True)
    assert damage == f"{tmp_path}/link was changed"


def test_what_an_import_listed_as_the_text_of_a_link_counts_as_changed(linked):
    before = {**list_files(str(linked)), **write_through(str(linked))}
    assert find_damage(str(linked), before, is_imported=True) is not None


def test_circles_of_links_in_an_import_end(linked, tmp_path):
    (linked / "itself").symlink_to(linked)
    (linked / "Split-train/up").symlink_to("..")
    (tmp_path / "behind/directory/back").symlink_to(linked)
    (tmp_path / "behind/directory/again").symlink_to(tmp_path / "behind")
    (linked / "latest").symlink_to("Split-train")
    manifest = list_files(str(linked))
    assert manifest.keys() - {"Split-train/data", "empty", "file"} == {
        "Split-train/up/",
        "directory/again/",
        "directory/back/",
        "directory/inner/data",
        "itself/",
        "latest/",
    }
    assert find_damage(str(linked), manifest, is_imported=True) is None
    (linked / "Split-eval").mkdir()
    assert find_damage(str(linked), manifest, is_imported=True) is None
    (linked / "latest").unlink()
    (linked / "latest").symlink_to("Split-eval")
    damage = find_damage(str(linked), manifest, is_imported=True)
    assert damage == f"{linked}/latest leads elsewhere"
    (linked / "latest").unlink()
    (linked / "latest").symlink_to("Split-train")
    (linked / "newest").symlink_to("Split-train")
    damage = find_damage(str(linked), manifest, is_imported=True)
    assert damage == f"{linked}/newest was added"


def test_links_that_lead_to_the_same_many_times_are_walked_once(tmp_path):
    """Without a guard, this directory has more than a million entries."""
    (tmp_path / "import").mkdir()
    for level in range(20):
        (tmp_path / str(level)).mkdir()
        for name in "ab":
            (tmp_path / str(level) / name).symlink_to(tmp_path / str(level + 1))
    (tmp_path / "20").mkdir()
    (tmp_path / "import/top").symlink_to(tmp_path / "0")
    assert len(list_files(str(tmp_path / "import"))) == 21


def test_what_links_lead_to_is_uploaded_under_each_name(linked, tmp_path):
    (linked / "empty-one").mkdir()
    (linked / "Split-eval").symlink_to("Split-train")
    (linked / "latest").symlink_to("Split-eval")
    (linked / "none").symlink_to("empty-one")
    (linked / "Split-train/inner").symlink_to(tmp_path / "behind/directory/inner")
    listed = list_for_upload(str(linked))
    assert set(listed) == {
        *(f"{name}/data" for name in ("Split-train", "Split-eval", "latest")),
        *(f"{name}/inner/data" for name in ("Split-train", "Split-eval", "latest", "directory")),
        *("file", "empty", "empty-one/", "none/"),
    }
    assert listed["latest/data"] == listed["Split-train/data"] == [9, 0, 0xE3069283]


def test_links_that_cannot_be_uploaded_are_left_out_and_named(artifact, tmp_path, caplog):
    for name in "ab":
        (artifact / name).mkdir()
    links = {"itself": ".", "Split-train/up": "..", "gone/gone": "nowhere", "a/around": tmp_path}
    (artifact / "gone").mkdir()
    for name, target in links.items():
        (artifact / name).symlink_to(target)
    (artifact / "a/b").symlink_to("../b")
    (artifact / "b/a").symlink_to("../a")
    listed = list_for_upload(str(artifact))
    assert set(listed) == {"Split-train/data", "empty", "gone/", "a/b/", "b/a/"}
    assert f"{artifact}/gone/gone leads nowhere and is left out." in caplog.messages
    circles = {message.partition(" leads to a directory that it")[0] for message in caplog.messages}
    within = ("itself", "Split-train/up", "a/around", "a/b/a", "b/a/b", "b/a/around")
    assert circles >= {f"{artifact}/{name}" for name in within}


@pytest.mark.not_quick  # takes seconds
def test_links_that_multiply_an_output_beyond_measure_are_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(manifest_module, "_MOST_BEHIND_A_LINK", 1000)
    (tmp_path / "output").mkdir()
    for level in range(20):
        (tmp_path / str(level)).mkdir()
        for name in "ab":
            (tmp_path / str(level) / name).symlink_to(tmp_path / str(level + 1))
    (tmp_path / "20").mkdir()
    (tmp_path / "output/top").symlink_to(tmp_path / "0")
    with pytest.raises(ValueError, match="leads to more than 1000 files, counted .* Remove links"):
        list_for_upload(str(tmp_path / "output"))


def test_a_special_file_behind_a_linked_directory_is_refused(linked, tmp_path):
    os.mkfifo(tmp_path / "behind/directory/pipe")
    with pytest.raises(ValueError, match="directory/pipe' is a named pipe. Only files"):
        list_files(str(linked))


@pytest.mark.parametrize("is_imported", [False, True])
def test_an_empty_directory_is_part_of_an_artifact(artifact, is_imported):
    (artifact / "Split-eval/deep").mkdir(parents=True)
    (artifact / "__pycache__").mkdir()
    manifest = (list_files if is_imported else write_through)(str(artifact))
    assert manifest.keys() == {"Split-train/data", "empty", "Split-eval/deep/"}
    assert is_result(
        {"outputs": {"a": [ENCODED]}, "manifests": {"a": [manifest]}, "first_party_files": {}}
    )

    def damage(manifest):
        return find_damage(str(artifact), manifest, is_imported=is_imported)

    (artifact / "added").mkdir()
    (artifact / "__pycache__").rmdir()
    assert damage(manifest) is None
    (artifact / "Split-eval/deep/data").touch()
    assert damage(manifest) == f"{artifact}/Split-eval/deep/data was added"
    (artifact / "Split-eval/deep/data").unlink()
    (artifact / "Split-eval/deep").rmdir()
    assert damage(manifest) == f"{artifact}/Split-eval/deep is gone"
    (artifact / "Split-eval/deep").touch()
    assert damage(manifest) == f"{artifact}/Split-eval/deep is a file"
    (artifact / "Split-eval/deep").unlink()
    (artifact / "Split-eval/deep").symlink_to(artifact / "added")
    said = "leads elsewhere" if is_imported else "has become a link"
    assert damage(manifest) == f"{artifact}/Split-eval/deep {said}"
    (artifact / "Split-eval/deep").unlink()
    del manifest["Split-eval/deep/"]
    assert damage(manifest) is None, "as listed before directories were"


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
    assert find_damage(str(artifact), manifest, is_imported=True) is None, "as of an import"


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
