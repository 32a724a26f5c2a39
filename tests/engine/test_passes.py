"""Passes travel by name and JSON."""

from __future__ import annotations

import pytest

from trainwright.engine.passes import PassSpec, Shard
from trainwright.testing.engine_contract import JOIN, JoinWords


@pytest.mark.parametrize("factory", ["json", ":name", "json:", "__main__:Mine", ""])
def test_refuses_names_that_other_processes_cannot_import(factory):
    with pytest.raises(ValueError, match="expected 'module:name'"):
        PassSpec(factory)


def test_refuses_arguments_that_are_no_json():
    with pytest.raises(TypeError, match="not JSON serializable"):
        PassSpec(JOIN.factory, {"separator": b"bytes"})


def test_refuses_what_makes_no_pass():
    with pytest.raises(TypeError, match="expected a Pass"):
        PassSpec("builtins:dict", {}).build()


def test_spec_and_shard_survive_json():
    assert isinstance(PassSpec.from_json(JOIN.to_json()).build(), JoinWords)
    shard = Shard(name="a", config={"path": "/a", "rows": [1, 2]}, size=3)
    assert Shard.from_json(shard.to_json()) == shard
