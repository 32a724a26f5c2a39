"""A library is adapted when it is imported, and not by who only looks for it."""

import importlib
import importlib.util
import sys

from trainwright._after_import import after_import


def test_an_action_waits_for_the_import_itself(tmp_path, monkeypatch):
    (tmp_path / "adapted_library.py").write_text("answer = 41\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    finders = list(sys.meta_path)

    def adapt(module):
        module.answer += 1

    after_import("adapted_library", adapt)
    # As TensorFlow asks which Keras there is, before any is imported.
    assert importlib.util.find_spec("adapted_library") is not None
    assert importlib.import_module("adapted_library").answer == 42
    assert sys.meta_path == finders
    after_import("adapted_library", adapt)  # it is there already
    assert sys.modules.pop("adapted_library").answer == 43
