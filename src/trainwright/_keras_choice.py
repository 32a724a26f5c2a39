"""Which Keras is behind `tf.keras`: Keras 2, which TFX users have, unless somebody chose already.

TensorFlow reads the choice from the environment while it is imported.
"""

from __future__ import annotations

import os
import sys

VARIABLE = "TF_USE_LEGACY_KERAS"


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
    if "tensorflow" in sys.modules:
        _tell(
            "TensorFlow was imported before tfx: tf.keras is Keras 3 here, but Keras 2 in the "
            f"Trainer. Import tfx first, or set {VARIABLE} to 1 (Keras 2) or 0 (Keras 3)."
        )
        return
    os.environ[VARIABLE] = choice_for_workers()
    _tell(f"tf.keras is Keras 2 in this process, as in the Trainer; {VARIABLE}=0 is for Keras 3.")


def _tell(text: str) -> None:
    if sys.stderr is not None:  # as in a program without a console
        print(f"tfx: {text}", file=sys.stderr)
