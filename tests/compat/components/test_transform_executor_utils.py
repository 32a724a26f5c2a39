"""Names that TFX's users take from tfx.components.transform.executor_utils."""

import pytest

from trainwright.compat.components import transform_executor_utils as utils
from trainwright.types.standard_artifacts import Examples, TransformCache


def examples_at(uri, split_names='["train", "eval"]'):
    examples = Examples()
    examples.uri = uri
    examples.split_names = split_names
    return examples


def test_custom_config_is_bound_to_functions_that_take_it():
    inputs = {"custom_config": '{"units": 8}'}
    assert utils.MaybeBindCustomConfig(inputs, lambda custom_config: custom_config)() == {
        "units": 8
    }
    assert utils.MaybeBindCustomConfig(inputs, len) is len


def test_one_of_several_keys_has_a_value():
    assert utils.ValidateOnlyOneSpecified({"a": ["x"]}, ("a", "b"))
    assert not utils.ValidateOnlyOneSpecified({}, ("a", "b"), allow_missing=True)
    with pytest.raises(ValueError, match="At most one of a, b should be supplied"):
        utils.ValidateOnlyOneSpecified({"a": 1, "b": 2}, ("a", "b"))
    with pytest.raises(ValueError, match="One of a, b should be supplied"):
        utils.ValidateOnlyOneSpecified({"a": ""}, ("a", "b"))


def test_outputs_become_as_many_as_inputs():
    outputs = {"transformed_examples": [examples_at("/out")]}
    utils.MatchNumberOfTransformedExamplesArtifacts({"examples": [Examples(), Examples()]}, outputs)
    assert [one.uri for one in outputs["transformed_examples"]] == ["/out/0", "/out/1"]


def test_all_splits_are_transformed_by_default():
    config = utils.ResolveSplitsConfig(None, [examples_at("/a"), examples_at("/b")])
    assert list(config.analyze) == ["train"]
    assert list(config.transform) == ["train", "eval"]
    with pytest.raises(ValueError, match="same split names"):
        utils.ResolveSplitsConfig(None, [examples_at("/a"), examples_at("/b", '["train"]')])
    with pytest.raises(ValueError, match="analyze cannot be empty"):
        utils.ResolveSplitsConfig('{"transform": ["train"]}', [])


def test_paths_go_by_split_and_label():
    examples = [examples_at("/a"), examples_at("/b")]
    utils.SetSplitNames(["train"], examples)
    assert utils.GetSplitPaths(examples) == [
        "/a/Split-train/transformed_examples",
        "/b/Split-train/transformed_examples",
    ]
    cache = TransformCache()
    cache.uri = "/cache"
    assert utils.GetCachePathEntry("analyzer_cache", {"analyzer_cache": [cache]}) == {
        "cache_input_path": "/cache"
    }
    assert utils.GetCachePathEntry("analyzer_cache", {}) == {}
    with pytest.raises(ValueError, match="all stats_output_paths should be specified or none"):
        utils.GetStatsOutputPathEntries(False, {"pre_transform_stats": [cache]})
