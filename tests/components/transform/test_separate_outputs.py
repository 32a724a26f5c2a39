"""Several artifacts of examples, and one for what is made of each."""

import pytest

from trainwright.components.transform.materialization import _by_directory
from trainwright.components.transform.request import _separate_outputs
from trainwright.components.transform.splits import find_files
from trainwright.types.standard_artifacts import Examples


def examples_at(directory):
    (directory / "Split-train").mkdir(parents=True)
    (directory / "Split-train" / "data.gz").write_bytes(b"")
    artifact = Examples()
    artifact.uri = str(directory)
    artifact.splits = ["train"]
    return artifact


def test_each_artifact_has_a_place_of_its_own(tmp_path):
    inputs = [examples_at(tmp_path / "a"), examples_at(tmp_path / "b")]
    outputs = [Examples(), Examples()]
    for number, output in enumerate(outputs):
        output.uri = str(tmp_path / f"out{number}")
    places = _separate_outputs({"examples": inputs}, {"transformed_examples": outputs})
    found = _by_directory(find_files(inputs, ["train"], places), "unused")
    assert found == {
        str(tmp_path / "out0" / "Split-train"): ("train", [f"{inputs[0].uri}/Split-train/data.gz"]),
        str(tmp_path / "out1" / "Split-train"): ("train", [f"{inputs[1].uri}/Split-train/data.gz"]),
    }


def test_all_artifacts_go_to_one_place_if_there_is_only_one(tmp_path):
    inputs = [examples_at(tmp_path / "a"), examples_at(tmp_path / "b")]
    assert _separate_outputs({"examples": inputs}, {"transformed_examples": [Examples()]}) is None
    [(directory, (_, files))] = _by_directory(find_files(inputs, ["train"]), "out").items()
    assert directory == "out/Split-train"
    assert len(files) == 2


def test_other_numbers_are_refused(tmp_path):
    inputs = [examples_at(tmp_path / "a")]
    with pytest.raises(ValueError, match="There are 1 Examples artifacts and 2 for what is made"):
        _separate_outputs({"examples": inputs}, {"transformed_examples": [Examples(), Examples()]})
