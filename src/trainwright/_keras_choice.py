"""The Keras behind `tf.keras`: Keras 2, which TFX users have, unless somebody chose already.

TensorFlow reads the choice from the environment when it is imported, and once more when `tf.keras`
is used first. In between it can still be changed: programs that import TensorFlow before tfx, as
TFX's tutorials do, need that.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from types import ModuleType

VARIABLE = "TF_USE_LEGACY_KERAS"

# Its values that mean Keras 2.
LEGACY = ("1", "true", "True")


def choice_for_workers() -> str:
    """The value of the variable in the processes of nodes."""
    return os.environ.get(VARIABLE, "1")


def choose_for_this_process() -> None:
    """Makes the choice of the workers here, too, and says so; an earlier choice stays.

    A model that a Trainer saved with Keras 2 and that a notebook loads with Keras 3 lacks its
    methods.
    """
    if VARIABLE in os.environ:
        return
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None and not _switch_to_keras_2(tensorflow):
        _tell(
            "tf.keras was used before tfx was imported: it is Keras 3 here, but Keras 2 in the "
            f"Trainer. Import tfx first, or set {VARIABLE} to 1 (Keras 2) or 0 (Keras 3)."
        )
        return
    os.environ[VARIABLE] = choice_for_workers()
    _tell(f"tf.keras is Keras 2 in this process, as in the Trainer; {VARIABLE}=0 is for Keras 3.")


def _switch_to_keras_2(tensorflow: ModuleType) -> bool:
    """Makes a TensorFlow that is imported already find Keras 2; False where it is too late.

    `tf.keras` reads the environment when it is used first, but `from tensorflow.keras import
    layers` goes by TensorFlow's search path, whose first directories are those of a Keras.
    """
    keras_2 = find_spec("tf_keras")
    if keras_2 is None or not keras_2.submodule_search_locations or _is_keras_loaded(tensorflow):
        return False
    rest = [path for path in tensorflow.__path__ if not path.endswith(_KERAS_3_DIRECTORIES)]
    home = keras_2.submodule_search_locations[0]
    tensorflow.__path__ = [os.path.join(home, "api", "_v2"), *rest]
    return True


_KERAS_3_DIRECTORIES = (os.path.join("keras", "_tf_keras"), os.path.join("keras", "api", "_v2"))


def _is_keras_loaded(tensorflow: ModuleType) -> bool:
    """Whether `tf.keras`, or a part like `tf.losses`, stands for a Keras already.

    True as well for a TensorFlow without this loader, which cannot be switched.
    """
    loaders = [vars(tensorflow).get(name) for name in ("keras", "losses", "metrics", "optimizers")]
    return "tensorflow.keras" in sys.modules or any(
        getattr(loader, "_tfll_initialized", True) for loader in loaders
    )


def _tell(text: str) -> None:
    if sys.stderr is not None:  # as in a program without a console
        print(f"tfx: {text}", file=sys.stderr)
