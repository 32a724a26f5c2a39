"""Models of tf.keras (Keras 2) in tuners of keras_tuner, which knows only the package `keras`.

keras_tuner looks for `Model`, `History` and a few functions in the module that it has as `keras`.
It gets one in which these stand for both Kerases. Its callbacks are of Keras 3: where a model of
Keras 2 is fitted, each is wrapped in one of Keras 2. Models of Keras 3 go on as they did.
"""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any

# What a callback of keras_tuner may do something about; models of Keras 2 ask for no more.
_HOOKS = (
    "on_train_begin",
    "on_train_end",
    "on_epoch_begin",
    "on_epoch_end",
    "on_train_batch_begin",
    "on_train_batch_end",
)


def accept_both_kerases(keras_tuner: ModuleType) -> None:
    """Lets the tuners of keras_tuner take models of Keras 2 as well."""
    from keras_tuner.src.engine import tuner, tuner_utils

    both = _Around(
        tuner.keras,
        models=_Classes(tuner.keras.models, "Model"),
        callbacks=_Classes(tuner.keras.callbacks, "History"),
        backend=_Around(tuner.keras.backend, clear_session=_clear_sessions),
        optimizers=_Around(
            tuner.keras.optimizers,
            serialize=_serialize_optimizer,
            deserialize=_deserialize_optimizer,
        ),
    )
    tuner.keras = both
    tuner_utils.keras = both
    _keep_metrics(tuner.Tuner)


def _keep_metrics(tuner_class: Any) -> None:
    """Lets a tuner with an optimizer or a loss of its own keep the metrics of models of Keras 2.

    It compiles them again with `model.metrics`, which are none until such a model is trained.
    """
    original = tuner_class._override_compile_args

    @functools.wraps(original)
    def override(self: Any, model: Any) -> Any:
        keras_2 = sys.modules.get("tf_keras")
        given = self.metrics
        if not given and keras_2 is not None and isinstance(model, keras_2.Model):
            self.metrics = getattr(model.compiled_metrics, "_user_metrics", None)
        try:
            return original(self, model) if given or self.optimizer or self.loss else None
        finally:
            self.metrics = given

    tuner_class._override_compile_args = override


def accept_keras_3_callbacks(tf_keras: ModuleType) -> None:
    """Lets `fit` of Keras 2 take callbacks of Keras 3, as keras_tuner adds them."""
    original_fit = tf_keras.Model.fit
    original_build = tf_keras.Model.build_from_config
    wrapper = _make_wrapper(tf_keras)

    @functools.wraps(original_fit)
    def fit(self: Any, *args: Any, callbacks: Any = None, **kwargs: Any) -> Any:
        if isinstance(callbacks, (list, tuple)):
            callbacks = [wrapper(one) if _is_of_keras_3(one) else one for one in callbacks]
        if callbacks is not None:
            kwargs["callbacks"] = callbacks
        return original_fit(self, *args, **kwargs)

    @functools.wraps(original_build)
    def build_from_config(self: Any, config: Any) -> Any:
        # Models of Keras 2 that know their inputs have no config to be built from, and need none.
        return None if config is None and self.built else original_build(self, config)

    tf_keras.Model.fit = fit
    tf_keras.Model.build_from_config = build_from_config


def _is_of_keras_3(callback: Any) -> bool:
    keras = sys.modules.get("keras")
    return keras is not None and isinstance(callback, keras.callbacks.Callback)


def _make_wrapper(tf_keras: ModuleType) -> type:
    base: Any = tf_keras.callbacks.Callback

    class Keras3Callback(base):  # type: ignore[misc]
        """Passes on what a callback of Keras 3 asks for."""

        def __init__(self, wrapped: Any) -> None:
            super().__init__()
            self._wrapped = wrapped

        def set_params(self, params: Any) -> None:
            super().set_params(params)
            self._wrapped.set_params(params)

        def set_model(self, model: Any) -> None:
            super().set_model(model)
            self._wrapped.set_model(model)

    for name in _HOOKS:
        setattr(Keras3Callback, name, _passing_on(name))
    return Keras3Callback


def _passing_on(name: str) -> Any:
    def hook(self: Any, *args: Any, **kwargs: Any) -> None:
        getattr(self._wrapped, name)(*args, **kwargs)

    hook.__name__ = name
    return hook


class _Around:
    """A module in which some names are others."""

    def __init__(self, module: Any, **names: Any) -> None:
        self._module = module
        vars(self).update(names)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


class _Classes(_Around):
    """A module in which the names of some classes are those of both Kerases, for `isinstance`."""

    def __init__(self, module: Any, *classes: str) -> None:
        super().__init__(module)
        self._classes = classes

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        keras_2 = sys.modules.get("tf_keras")  # models of a Keras that is not imported are not
        if name not in self._classes or keras_2 is None:
            return found
        area = "models" if name == "Model" else "callbacks"
        return found, getattr(getattr(keras_2, area), name)


def _clear_sessions() -> None:
    import keras

    keras.backend.clear_session()
    if "tf_keras" in sys.modules:
        sys.modules["tf_keras"].backend.clear_session()


def _optimizers_of(optimizer: Any) -> Any:
    import keras

    tf_keras = sys.modules.get("tf_keras")
    is_keras_2 = tf_keras is not None and isinstance(optimizer, tf_keras.optimizers.Optimizer)
    return tf_keras.optimizers if tf_keras is not None and is_keras_2 else keras.optimizers


def _serialize_optimizer(optimizer: Any) -> Any:
    optimizers = _optimizers_of(optimizer)
    return optimizers, optimizers.serialize(optimizer)


def _deserialize_optimizer(serialized: Any) -> Any:
    optimizers, config = serialized
    return optimizers.deserialize(config)
