"""Modules of TFX that are not here say so; examples and test helpers come from a checkout."""

from __future__ import annotations

import importlib
import re

import pytest

from tfx._missing_names import MISSING_NAMES

METHOD = re.compile(r"[.][A-Z]\w+[.]\w+$")  # of a class that is there


@pytest.mark.parametrize("name", [name for name in MISSING_NAMES if not METHOD.search(name)])
def test_a_missing_name_says_what_to_use_instead(name):
    module, _, last = name.rpartition(".")
    with pytest.raises(ImportError) as raised:
        exec(f"from {module} import {last}")
    assert "part of TFX's API but not of Trainwright" in str(raised.value)
    assert any(reason in str(raised.value) for reason in MISSING_NAMES.values())


def test_a_module_that_tfx_never_had():
    for name in ("tfx.nonsense", "tfx.nonsense.below", "tfx.components.nonsense"):
        with pytest.raises(ModuleNotFoundError) as raised:
            importlib.import_module(name)
        missing = name.removesuffix(".below")
        assert str(raised.value).startswith(f"{missing} is not part of Trainwright")
        assert raised.value.name == missing


def test_examples_and_test_helpers_come_from_a_checkout(run_script, tmp_path):
    for name in ("examples/penguin/utils.py", "dsl/testdata/sample.py", "types/my_test.py"):
        file = tmp_path / "checkout" / "tfx" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("HERE = __name__")
    for name in ("types/artifact.py", "types/only_theirs.py"):
        (tmp_path / "checkout" / "tfx" / name).write_text("raise Exception('of the checkout')")
    source = f"""
    import sys
    sys.path.append({str(tmp_path / "checkout")!r})
    from tfx.examples.penguin import utils
    from tfx.dsl.testdata import sample
    from tfx.types import my_test, artifact
    print(utils.HERE, sample.HERE, my_test.HERE, artifact.Artifact.__name__)
    try:
        import tfx.types.only_theirs
    except ModuleNotFoundError as error:
        print(error.name)
    """
    assert run_script(source).stdout == (
        "tfx.examples.penguin.utils tfx.dsl.testdata.sample tfx.types.my_test Artifact\n"
        "tfx.types.only_theirs\n"
    )


def test_without_a_checkout_examples_say_where_they_are_from():
    with pytest.raises(ModuleNotFoundError, match="checkout of TFX on sys.path"):
        importlib.import_module("tfx.examples.penguin")
