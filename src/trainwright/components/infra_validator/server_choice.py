"""Choice of the program that serves a model for validation."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping

# Names the program, or `trainwright` for our own server.
VARIABLE = "TRAINWRIGHT_MODEL_SERVER"
OWN_SERVER = "trainwright"
TENSORFLOW_SERVING = "tensorflow_model_server"


def find_model_server(environment: Mapping[str, str] | None = None) -> str:
    """The program that serves: what the environment names, TensorFlow Serving, or our own.

    Returns its path, or `OWN_SERVER`.

    Raises:
        ValueError: if the environment names one that is not there.
    """
    named = (os.environ if environment is None else environment).get(VARIABLE, "")
    if named == OWN_SERVER:
        return OWN_SERVER
    found = shutil.which(named or TENSORFLOW_SERVING)
    if named and found is None:
        raise ValueError(
            f"{VARIABLE} is {named!r}, which is not a program that can be run here. Give the path "
            f"of {TENSORFLOW_SERVING}, or {OWN_SERVER} for the server that comes with Trainwright."
        )
    return os.path.abspath(found) if found else OWN_SERVER
