"""Adaptations for Keras models that are saved in a Trainer.

What the model was compiled with is written into the SavedModel, as `model.save` of Keras 2 does
itself, so that an Evaluator computes the same loss and metrics however the model was saved. And
`model.save(dir, save_format="tf")` works, which Keras 3 has dropped: TFX's guides and thousands of
module files save that way. What is saved of Keras 3 can be restored by TensorFlow Serving, too.
"""

from __future__ import annotations

import functools
import importlib
import json
import logging
import os
import sys
import warnings
from types import ModuleType
from typing import Any

from trainwright._after_import import after_import
from trainwright.types import model_paths

_logger = logging.getLogger(__name__)

# Keras 3 and Keras 2, both of which may be imported.
_LIBRARIES = ("keras", "tf_keras")

_SAVED_MODEL_MODULE = "tensorflow.saved_model"


def adapt_save_of_keras_3(keras: ModuleType) -> None:
    """Lets `save` of Keras 3 models write SavedModels."""
    original_save = keras.Model.save

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

    keras.Model.save = save


def adapt_variables_of_keras_3(keras: ModuleType) -> None:
    """Lets `tf.saved_model.save` write models of Keras 3 that model servers can restore.

    Keras 3 lets TensorFlow write two variables for each of the model: one that the graph reads, and
    one that is restored. `tf.saved_model.load` follows the objects and finds the values all the
    same; TensorFlow Serving runs the graph, and no request can be answered.
    """
    if keras.backend.backend() != "tensorflow":
        return
    core: Any = importlib.import_module("keras.src.backend.tensorflow.core")
    if not hasattr(core.Variable, "_export_to_saved_model_graph"):
        return  # another version of Keras 3, whose ways are not known

    @functools.wraps(core.Variable._export_to_saved_model_graph)
    def export(
        self: Any, object_map: Any, tensor_map: Any, options: Any, **kwargs: Any
    ) -> list[Any]:
        resources: list[Any] = self.value._export_to_saved_model_graph(
            object_map, tensor_map, options, **kwargs
        )
        object_map[self] = object_map[self.value]
        return resources

    core.Variable._export_to_saved_model_graph = export


def adapt_export_of_keras(keras: ModuleType) -> None:
    """Lets `export` of Keras 2 or 3 models write what they were compiled with.

    A file of ONNX or LiteRT gets its directory made, as a SavedModel does.
    """
    original = keras.Model.export

    @functools.wraps(original)
    def export(self: Any, filepath: Any, *args: Any, **kwargs: Any) -> Any:
        os.makedirs(os.path.dirname(os.path.abspath(filepath)), exist_ok=True)
        result = original(self, filepath, *args, **kwargs)
        write_compile_config(self, os.fspath(filepath))
        return result

    keras.Model.export = export


def adapt_saving_of_tensorflow(tf: ModuleType) -> None:
    """Lets `tf.saved_model.save` write what Keras models were compiled with."""
    _adapt_saved_model(tf.saved_model)
    if _SAVED_MODEL_MODULE not in sys.modules:
        # Whoever imports from it, as `export` of Keras 3 does, gets another module than
        # `tf.saved_model` is until then, and replaces that by it.
        after_import(_SAVED_MODEL_MODULE, _adapt_saved_model)


def _adapt_saved_model(saved_model: Any) -> None:
    original = saved_model.save

    @functools.wraps(original)
    def save(obj: Any, export_dir: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(obj, export_dir, *args, **kwargs)
        write_compile_config(obj, os.fspath(export_dir))
        return result

    saved_model.save = save


def write_compile_config(model: Any, directory: str) -> None:
    """Writes what a Keras model was compiled with beside the SavedModel that it was saved as."""
    library = _library_of(model)
    is_saved_model = os.path.exists(os.path.join(directory, "saved_model.pb"))
    if library is None or not is_saved_model:
        return
    try:
        content = _describe(model, library)
    except Exception as error:
        # A class of the user's own that cannot be serialized: the model is saved all the same.
        _logger.warning(
            "An Evaluator will not compute what the model was compiled with, which Keras cannot "
            "write: %s",
            error,
        )
        return
    if content is None:
        return
    path = os.path.join(directory, model_paths.COMPILE_CONFIG)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)


def _library_of(model: Any) -> str | None:
    """Which Keras a model is of, if it is of one; a Keras that is not imported has no models."""
    imported = ((name, sys.modules.get(name)) for name in _LIBRARIES)
    return next(
        (name for name, keras in imported if keras and isinstance(model, keras.Model)), None
    )


def _describe(model: Any, library: str) -> str | None:
    """What a model was compiled with, as JSON that names the Keras to read it with; else None."""
    with warnings.catch_warnings():
        # Keras warns of lambdas, which could not be loaded again: nobody loads the model from this.
        warnings.simplefilter("ignore")
        written = model.get_compile_config()
    if written is None:
        return None
    config = {name: value for name, value in written.items() if name != "optimizer"}
    output_names = list(getattr(model, "output_names", None) or [])
    return json.dumps({"library": library, "compile_config": config, "output_names": output_names})
