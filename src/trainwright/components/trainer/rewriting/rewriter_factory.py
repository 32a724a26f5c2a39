"""create_rewriter: a rewriter by the name of its class."""

from __future__ import annotations

import importlib
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.components.trainer.rewriting.rewriter import BaseRewriter

TFLITE_REWRITER = "TFLiteRewriter"
TFJS_REWRITER = "TFJSRewriter"

# Imported when they are asked for, so that their classes are known.
_MODULES = {
    TFLITE_REWRITER.lower(): "trainwright.components.trainer.rewriting.format_rewriters",
    TFJS_REWRITER.lower(): "trainwright.components.trainer.rewriting.format_rewriters",
}


def create_rewriter(rewriter_type: str, *args: Any, **kwargs: Any) -> BaseRewriter:
    """Makes a rewriter with these arguments.

    Args:
        rewriter_type: The name of a direct subclass of `BaseRewriter`, in any case of letters; one
            of the user's own must have been imported.
        *args: For its constructor.
        **kwargs: Likewise.

    Raises:
        ValueError: if there is no such class.

    Example: `create_rewriter(TFLITE_REWRITER, name="to_tflite")`
    """
    wanted = rewriter_type.lower()
    if wanted in _MODULES:
        importlib.import_module(_MODULES[wanted])
    classes = {one.__name__.lower(): one for one in BaseRewriter.__subclasses__()}
    if wanted not in classes:
        known = [one.__name__ for one in classes.values()]
        raise ValueError(f"Failed to find rewriter: {wanted}{did_you_mean(rewriter_type, known)}")
    return classes[wanted](*args, **kwargs)
