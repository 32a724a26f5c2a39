"""Recognition of model directories and their versions."""

import pytest

from trainwright.serving.model_directory import find_model, fingerprint


def saved_model(directory):
    directory.mkdir(parents=True)
    (directory / "saved_model.pb").write_bytes(b"graph")
    return directory


def test_versions_are_whole_directories_with_numbers(tmp_path):
    base = tmp_path / "penguin"
    saved_model(base / "3")
    saved_model(base / "0017")
    saved_model(base / ".trainwright-push-1")
    saved_model(base / "latest")
    saved_model(base / ("9" * 30))
    (base / "5").mkdir()
    (base / "6").write_text("a file")
    directory = find_model(str(base))
    assert directory.name == "penguin"
    assert directory.versions() == {3: str(base / "3"), 17: str(base / "0017")}


def test_a_version_that_is_named_itself_keeps_number_and_name(tmp_path):
    saved_model(tmp_path / "penguin" / "42")
    found = find_model(str(tmp_path / "penguin" / "42"))
    assert (found.name, found.only_version) == ("penguin", 42)
    assert found.versions() == {42: str(tmp_path / "penguin" / "42")}


@pytest.mark.parametrize("inside", ["Format-Serving", "stamped_model"])
def test_the_directory_of_an_artifact_is_a_model(tmp_path, inside):
    path = saved_model(tmp_path / "6" / inside)
    found = find_model(str(tmp_path / "6"), "mine")
    assert (found.name, found.path, found.only_version) == ("mine", str(path), 1)
    assert find_model(str(tmp_path / "6")).name == "model"


def test_an_empty_directory_is_waited_in(tmp_path):
    assert find_model(str(tmp_path)).versions() == {}


def test_what_is_not_a_model_is_told_with_what_is_there(tmp_path):
    with pytest.raises(ValueError, match="there is no such directory"):
        find_model(str(tmp_path / "nowhere"))
    (tmp_path / "readme.txt").write_text("")
    with pytest.raises(ValueError, match=r"expected saved_model.pb, or versions.*readme.txt"):
        find_model(str(tmp_path))
    with pytest.raises(ValueError, match="that is a file. Name its directory"):
        find_model(str(tmp_path / "readme.txt"))
    with pytest.raises(ValueError, match="cannot be called 'a/b'"):
        find_model(str(saved_model(tmp_path / "model")), "a/b")


def test_a_changed_file_changes_the_fingerprint(tmp_path):
    version = saved_model(tmp_path / "1")
    before = fingerprint(str(version))
    assert fingerprint(str(version)) == before
    (version / "variables").mkdir()
    (version / "variables" / "variables.index").write_bytes(b"index")
    assert fingerprint(str(version)) != before
