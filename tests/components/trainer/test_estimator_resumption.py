"""Going on after a crash: what is taken over of attempts that failed."""

from __future__ import annotations

import os

import pytest

from trainwright.components.trainer.estimator_resumption import (
    advice_to_begin_anew,
    continue_from,
)


@pytest.fixture
def attempts(tmp_path):
    """Two attempts that failed, the latest first, with the checkpoints of two steps each."""
    import tensorflow as tf

    runs = [tmp_path / "2", tmp_path / "1"]
    for run in runs:
        (run / "work").mkdir(parents=True)
        for step in (10, 20):
            variable = tf.Variable(tf.fill([100], float(step)))
            tf.train.Checkpoint(v=variable).write(str(run / "work" / f"model.ckpt-{step}"))
        listed = [f'all_model_checkpoint_paths: "model.ckpt-{step}"' for step in (10, 20)]
        (run / "work" / "checkpoint").write_text(
            "\n".join(['model_checkpoint_path: "model.ckpt-20"', *listed])
        )
    return runs


def truncate(run, step, part="data-00000-of-00001", size=50):
    path = run / "work" / f"model.ckpt-{step}.{part}"
    path.unlink() if size is None else os.truncate(path, size)


def latest_after(attempts, tmp_path):
    """The checkpoint that an Estimator finds in the directory of the next attempt."""
    import tensorflow as tf

    (tmp_path / "3").mkdir()
    if not continue_from([str(run) for run in attempts], str(tmp_path / "3")):
        assert os.listdir(tmp_path / "3") == []
        return None
    assert os.listdir(tmp_path / "3") == ["work"]
    return os.path.basename(tf.train.latest_checkpoint(str(tmp_path / "3" / "work")))


@pytest.mark.parametrize("damage", [{}, {"part": "index"}, {"size": None}])
def test_a_damaged_checkpoint_is_passed_over_for_the_one_before(attempts, tmp_path, caplog, damage):
    truncate(attempts[0], 20, **damage)
    assert latest_after(attempts, tmp_path) == "model.ckpt-10"
    assert "model.ckpt-20 of an earlier attempt cannot be read" in caplog.text


def test_an_attempt_without_a_whole_checkpoint_is_passed_over(attempts, tmp_path):
    for step in (10, 20):
        truncate(attempts[0], step)
    assert latest_after(attempts, tmp_path) == "model.ckpt-20"
    taken = tmp_path / "3" / "work" / "model.ckpt-20.index"
    assert taken.samefile(attempts[1] / "work" / "model.ckpt-20.index")


def test_without_any_whole_checkpoint_the_training_begins_anew(attempts, tmp_path):
    for run in attempts:
        (run / "work" / "checkpoint").write_bytes(b"\xff\xfe\0")
    assert latest_after(attempts, tmp_path) is None


def test_a_checkpoint_that_lies_elsewhere_is_not_gone_on_from(attempts, tmp_path):
    first, second = attempts
    (first / "work" / "checkpoint").write_text(
        f'model_checkpoint_path: "{second}/work/model.ckpt-20"\n'
        'all_model_checkpoint_paths: "model.ckpt-10"\n'
    )
    truncate(first, 20, part="index", size=None)
    assert latest_after(attempts, tmp_path) == "model.ckpt-10"


def test_links_and_pipes_are_not_followed(attempts, tmp_path):
    (tmp_path / "large").mkdir()
    (tmp_path / "large" / "file").write_text("not to be copied")
    work = attempts[0] / "work"
    (work / "large").symlink_to(tmp_path / "large")
    (work / "nowhere").symlink_to("/does/not/exist")
    os.mkfifo(work / "pipe")
    (work / "temp-1").mkdir()
    assert latest_after(attempts, tmp_path) == "model.ckpt-20"
    taken = tmp_path / "3" / "work"
    assert (taken / "large").is_symlink()
    assert (taken / "nowhere").is_symlink()
    assert not (taken / "pipe").exists()
    assert not (taken / "temp-1").exists()


def test_to_begin_anew_all_attempts_must_go():
    advice = advice_to_begin_anew(["/run/2", "/run/1"], "/run/3")
    assert "To begin anew, remove /run/3 and /run/2 and /run/1." in advice
