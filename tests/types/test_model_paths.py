"""Paths of the models inside a Model artifact, as consumers find them."""

import pytest

from trainwright.types import model_paths


def make_model(directory):
    directory.mkdir(parents=True)
    (directory / "saved_model.pb").write_bytes(b"graph")
    return str(directory)


def test_the_directories_a_trainer_writes_to(tmp_path):
    uri = str(tmp_path)
    assert model_paths.serving_model_dir(uri) == f"{uri}/Format-Serving"
    assert model_paths.eval_model_dir(uri) == f"{uri}/Format-TFMA"
    assert model_paths.serving_model_dir(uri, is_old_artifact=True) == f"{uri}/serving_model_dir"
    assert model_paths.eval_model_dir(uri, is_old_artifact=True) == f"{uri}/eval_model_dir"
    assert model_paths.stamped_model_path(uri) == f"{uri}/stamped_model"
    assert model_paths.warmup_file_path("/model") == (
        "/model/assets.extra/tf_serving_warmup_requests"
    )


def test_a_keras_model_is_the_serving_directory_itself(tmp_path):
    model = make_model(tmp_path / "Format-Serving")
    assert model_paths.serving_model_path(str(tmp_path)) == model


def test_an_old_artifact_has_its_old_directory(tmp_path):
    model = make_model(tmp_path / "serving_model_dir")
    assert model_paths.serving_model_path(str(tmp_path), is_old_artifact=True) == model
    assert model_paths.eval_model_path(str(tmp_path), is_old_artifact=True) == model


def test_an_estimator_s_export_is_found_with_a_warning(tmp_path):
    model = make_model(tmp_path / "Format-Serving" / "export" / "latest" / "1700000000")
    with pytest.warns(DeprecationWarning, match="export/ are deprecated"):
        assert model_paths.serving_model_path(str(tmp_path)) == model


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_two_exports_cannot_be_told_apart(tmp_path):
    exports = tmp_path / "Format-Serving" / "export" / "latest"
    make_model(exports / "1700000000")
    make_model(exports / "1700000001")
    with pytest.raises(RuntimeError) as raised:
        model_paths.serving_model_path(str(tmp_path))
    assert "1700000000" in str(raised.value)
    assert "1700000001" in str(raised.value)


def test_the_eval_model_comes_before_the_served_one(tmp_path):
    make_model(tmp_path / "Format-Serving")
    model = make_model(tmp_path / "Format-TFMA")
    assert model_paths.eval_model_path(str(tmp_path)) == model


def test_an_eval_model_may_lie_in_a_timestamped_directory(tmp_path):
    model = make_model(tmp_path / "Format-TFMA" / "1700000000")
    assert model_paths.eval_model_path(str(tmp_path)) == model


def test_without_an_eval_model_the_served_one_is_evaluated(tmp_path):
    model = make_model(tmp_path / "Format-Serving")
    assert model_paths.eval_model_path(str(tmp_path)) == model
