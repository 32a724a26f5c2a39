"""What is adapted when a model of Keras 3 is saved in a Trainer.

`model.save(dir, save_format="tf")` works, which Keras 3 has dropped: TFX's guides and thousands of
module files save that way. And what the model was compiled with is written into the SavedModel, as
Keras 2 does, so that an Evaluator computes the same loss and metrics.
"""

from __future__ import annotations

import functools
import json
import logging
import os
import sys
from types import ModuleType
from typing import Any

from trainwright.types import model_paths

_logger = logging.getLogger(__name__)


def adapt_saving_of_keras(keras: ModuleType) -> None:
    """Adapts `save` and `export` of Keras 3 models."""
    original_save, original_export = keras.Model.save, keras.Model.export

    @functools.wraps(original_save)
    def save(self: Any, filepath: Any, *args: Any, **kwargs: Any) -> Any:
        save_format = kwargs.pop("save_format", None)
        signatures = kwargs.pop("signatures", None)
        has_extension = os.path.splitext(os.fspath(filepath))[1] in (".keras", ".h5", ".hdf5")
        if save_format not in ("tf", None) or (has_extension and save_format is None):
            return original_save(self, filepath, *args, **kwargs)
        import tensorflow as tf

        _logger.info(
            "Keras 3 saves no SavedModel by model.save(); writing %s with "
            "tf.saved_model.save(model, dir, signatures=...), which works for both.",
            filepath,
        )
        return tf.saved_model.save(self, os.fspath(filepath), signatures=signatures)

    @functools.wraps(original_export)
    def export(self: Any, filepath: Any, *args: Any, **kwargs: Any) -> Any:
        result = original_export(self, filepath, *args, **kwargs)
        write_compile_config(self, os.fspath(filepath))
        return result

    keras.Model.save, keras.Model.export = save, export


def adapt_saving_of_tensorflow(tf: ModuleType) -> None:
    """Adapts `tf.saved_model.save`, as far as it saves models of Keras 3."""
    original = tf.saved_model.save

    @functools.wraps(original)
    def save(obj: Any, export_dir: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(obj, export_dir, *args, **kwargs)
        keras = sys.modules.get("keras")
        if keras is not None and isinstance(obj, keras.Model):
            write_compile_config(obj, os.fspath(export_dir))
        return result

    tf.saved_model.save = save


def write_compile_config(model: Any, directory: str) -> None:
    """Writes what a model was compiled with beside the SavedModel that it was saved as."""
    is_saved_model = os.path.exists(os.path.join(directory, "saved_model.pb"))
    if not model.compiled or not is_saved_model:
        return
    try:
        config = {**model.get_compile_config()}
        config.pop("optimizer", None)
        output_names = list(getattr(model, "output_names", None) or [])
        content = json.dumps({"compile_config": config, "output_names": output_names})
    except Exception as error:
        # A class of the user's own that cannot be serialized: the model is saved all the same.
        _logger.warning(
            "An Evaluator will not compute what the model was compiled with, which Keras cannot "
            "write: %s",
            error,
        )
        return
    path = os.path.join(directory, model_paths.COMPILE_CONFIG)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
