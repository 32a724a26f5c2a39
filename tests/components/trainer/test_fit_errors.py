"""Errors in `model.fit` name their reason and the user's own lines."""

from __future__ import annotations

import importlib

import pytest

from trainwright.components.user_training.keras_progress import report_fit_progress
from trainwright.orchestration.execution.tracebacks import describe_exception


@pytest.mark.parametrize("keras_name", ["tf_keras", "keras"])
def test_errors_of_both_kerases_are_headed_by_their_reason(keras_name, monkeypatch):
    tf = pytest.importorskip("tensorflow")
    keras = importlib.import_module(keras_name)
    monkeypatch.setattr(keras.Model, "fit", keras.Model.fit)  # as it was, when this is over
    report_fit_progress(keras, lambda progress: None)

    class Product(keras.layers.Layer):
        def call(self, x):
            if x is not None:
                x = tf.matmul(x, tf.ones([3, 2]))
            return x

    class Nested(keras.Model):
        def __init__(self):
            super().__init__()
            self.product = Product()

        def call(self, x):
            return self.product(x)

    def fit_nested():
        model = Nested()
        model.compile("sgd", "mse")
        model.fit(tf.ones([4, 7]), tf.ones([4, 1]), verbose=0)

    def fit_wrong_width():
        model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(tf.ones([4, 7]), tf.ones([4, 1]), verbose=0)

    for fit, reason in (
        (fit_nested, "Dimensions must be equal, but are 7 and 3 for "),
        (fit_wrong_width, "Input 0 "),
    ):
        with pytest.raises(ValueError) as caught:
            fit()
        described = describe_exception(caught.value)
        assert described["message"].startswith(reason)
        assert f"\nValueError: {described['message']}" in described["traceback"]
        assert "keras_progress.py" not in described["traceback"]
        assert "__autograph_generated_file" not in described["traceback"]
        assert "\x1b" not in described["traceback"]
        assert 'File "' + __file__ in described["traceback"]
        if fit is fit_nested:
            assert "x = tf.matmul(x, tf.ones([3, 2]))" in described["traceback"]
