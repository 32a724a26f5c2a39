"""A notebook that imports `tfx` loads models with the Keras that the Trainer saves with."""

from __future__ import annotations

import pytest

SHOW_CHOICE = """
import os, sys
assert "keras" not in sys.modules and "tf_keras" not in sys.modules
print(os.environ.get("TF_USE_LEGACY_KERAS"))
"""


@pytest.fixture
def unchosen(monkeypatch):
    monkeypatch.delenv("TF_USE_LEGACY_KERAS", raising=False)


def test_tf_keras_is_keras_2_after_tfx_and_one_line_says_so(unchosen, run_script):
    finished = run_script(
        """
        from tfx import v1 as tfx
        import tfx.components
        import tensorflow as tf
        print(tf.keras.Model.__module__)
        """,
        TF_CPP_MIN_LOG_LEVEL="3",
    )
    assert finished.stdout.startswith("tf_keras.")
    said = [line for line in finished.stderr.splitlines() if line.startswith("tfx: ")]
    assert said == [
        "tfx: tf.keras is Keras 2 in this process, as in the Trainer; "
        "TF_USE_LEGACY_KERAS=0 is for Keras 3."
    ]


def test_an_earlier_choice_stays_and_nothing_is_said(run_script):
    finished = run_script("import tfx" + SHOW_CHOICE, TF_USE_LEGACY_KERAS="0")
    assert (finished.stdout, finished.stderr) == ("0\n", "")


def test_tensorflow_may_be_imported_before_tfx_as_in_tutorials(unchosen, run_script):
    finished = run_script(
        """
        import tensorflow as tf
        print(tf.__version__.split(".")[0])
        from tfx import v1 as tfx
        from tensorflow import keras
        from tensorflow.keras import layers
        made = (tf.keras.Model, keras.Model, layers.Dense, tf.losses.MeanSquaredError)
        print({one.__module__.partition(".")[0] for one in made})
        """,
        TF_CPP_MIN_LOG_LEVEL="3",
    )
    assert finished.stdout == "2\n{'tf_keras'}\n"
    said = [line for line in finished.stderr.splitlines() if line.startswith("tfx: ")]
    assert said == [
        "tfx: tf.keras is Keras 2 in this process, as in the Trainer; "
        "TF_USE_LEGACY_KERAS=0 is for Keras 3."
    ]


@pytest.mark.parametrize(
    "keras",
    [
        "import types; keras = types.SimpleNamespace(_tfll_initialized=True)",
        "keras = 'of another version'",
    ],
)
def test_once_tf_keras_is_used_it_is_too_late_and_that_is_said(
    unchosen, run_script, tmp_path, keras
):
    (tmp_path / "tensorflow.py").write_text(keras)
    finished = run_script("import tensorflow, tfx" + SHOW_CHOICE)
    assert finished.stdout == "None\n"
    assert finished.stderr == (
        "tfx: tf.keras was used before tfx was imported: it is Keras 3 here, but Keras 2 in the "
        "Trainer. Import tfx first, or set TF_USE_LEGACY_KERAS to 1 (Keras 2) or 0 (Keras 3).\n"
    )
