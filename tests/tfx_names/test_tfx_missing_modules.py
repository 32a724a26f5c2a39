"""Modules of TFX that are not here say so; those that are here are not among them."""

from __future__ import annotations

import importlib
import importlib.machinery

import pytest

from tfx._missing_modules import MISSING_MODULES


@pytest.mark.parametrize("name", sorted(MISSING_MODULES))
def test_a_missing_module_says_so(name):
    with pytest.raises(ModuleNotFoundError, match="part of TFX's API but not of Trainwright"):
        importlib.import_module(name)


def test_a_module_below_a_missing_one_and_one_that_tfx_never_had():
    with pytest.raises(ModuleNotFoundError, match="tfx.orchestration.beam is part of TFX's API"):
        importlib.import_module("tfx.orchestration.beam.beam_dag_runner")
    for name in ("tfx.nonsense", "tfx.nonsense.below", "tfx.v1.components.nonsense"):
        with pytest.raises(ModuleNotFoundError) as raised:
            importlib.import_module(name)
        missing = name.removesuffix(".below")
        assert str(raised.value).startswith(f"{missing} is not part of Trainwright")
        assert raised.value.name == missing


def test_a_missing_module_says_what_to_use_instead():
    for name, advice in [
        ("tfx.components.tuner", "search in run_fn"),
        ("tfx.orchestration.kubeflow", "Use tfx.v1.orchestration.LocalDagRunner"),
        ("tfx.experimental", "There is nothing in its place."),
    ]:
        with pytest.raises(ModuleNotFoundError, match=advice):
            importlib.import_module(name)
