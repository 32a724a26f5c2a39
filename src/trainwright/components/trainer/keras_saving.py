"""`model.save(dir, save_format="tf")` for Keras 3, which has dropped it.

TFX's guides and thousands of module files save that way.
"""

from __future__ import annotations

import functools
import logging
import os
from types import ModuleType
from typing import Any

_logger = logging.getLogger(__name__)


def allow_saved_model_format(keras: ModuleType) -> None:
    """Lets Keras 3 models write a SavedModel when they are asked to in Keras 2's words."""
    original = keras.Model.save

    @functools.wraps(original)
    def save(self: Any, filepath: Any, *args: Any, **kwargs: Any) -> Any:
        save_format = kwargs.pop("save_format", None)
        signatures = kwargs.pop("signatures", None)
        has_extension = os.path.splitext(os.fspath(filepath))[1] in (".keras", ".h5", ".hdf5")
        if save_format not in ("tf", None) or (has_extension and save_format is None):
            return original(self, filepath, *args, **kwargs)
        import tensorflow as tf

        _logger.info(
            "Keras 3 saves no SavedModel by model.save(); writing %s with "
            "tf.saved_model.save(model, dir, signatures=...), which works for both.",
            filepath,
        )
        return tf.saved_model.save(self, os.fspath(filepath), signatures=signatures)

    keras.Model.save = save
