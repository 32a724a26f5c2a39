"""`tfx.components.transform.executor_utils`: between a Transform's artifacts and its labels.

The labels' values may be single, or in a list, where one counts.
"""

from __future__ import annotations

import copy
import functools
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trainwright.compat.components import transform_labels as labels
from trainwright.components.transform.splits import read_splits_config
from trainwright.dsl.base_executor import ArtifactDict
from trainwright.proto import transform_pb2
from trainwright.types import json_utils
from trainwright.types import standard_component_specs as keys
from trainwright.types.artifact import Artifact
from trainwright.types.artifact_utils import get_single_uri
from trainwright.types.splits import (
    DEFAULT_TRAIN_SPLIT,
    decode_split_names,
    encode_split_names,
    get_split_uris,
)

_TRANSFORMED_EXAMPLES_PREFIX = "transformed_examples"

_STATISTICS_LABELS = {
    labels.PRE_TRANSFORM_OUTPUT_STATS_PATH_LABEL: keys.PRE_TRANSFORM_STATS_KEY,
    labels.PRE_TRANSFORM_OUTPUT_SCHEMA_PATH_LABEL: keys.PRE_TRANSFORM_SCHEMA_KEY,
    labels.POST_TRANSFORM_OUTPUT_ANOMALIES_PATH_LABEL: keys.POST_TRANSFORM_ANOMALIES_KEY,
    labels.POST_TRANSFORM_OUTPUT_STATS_PATH_LABEL: keys.POST_TRANSFORM_STATS_KEY,
    labels.POST_TRANSFORM_OUTPUT_SCHEMA_PATH_LABEL: keys.POST_TRANSFORM_SCHEMA_KEY,
}

_CACHE_LABELS = {
    keys.ANALYZER_CACHE_KEY: labels.CACHE_INPUT_PATH_LABEL,
    keys.UPDATED_ANALYZER_CACHE_KEY: labels.CACHE_OUTPUT_PATH_LABEL,
}


def MaybeBindCustomConfig(inputs: Mapping[str, Any], fn: Callable[..., Any]) -> Callable[..., Any]:
    """The function with `custom_config` filled in, if it has such an argument."""
    if labels.CUSTOM_CONFIG not in inspect.signature(fn).parameters:
        return fn
    encoded = _sole_value(inputs, labels.CUSTOM_CONFIG)
    custom_config = (json_utils.loads(encoded) if encoded else None) or {}
    return functools.partial(fn, custom_config=custom_config)


def ValidateOnlyOneSpecified(
    inputs: Mapping[str, Any], keys: Sequence[str], allow_missing: bool = False
) -> bool:
    """Whether one of the keys has a value that is not empty.

    Raises:
        ValueError: if several have, or none has and none may be missing.
    """
    given = [key for key in keys if _sole_value(inputs, key)]
    listed = ", ".join(keys)
    if len(given) > 1:
        raise ValueError(
            f"At most one of {listed} should be supplied in the input. Got {', '.join(given)}."
        )
    if not given and not allow_missing:
        raise ValueError(f"One of {listed} should be supplied in the input.")
    return bool(given)


def MatchNumberOfTransformedExamplesArtifacts(
    input_dict: ArtifactDict, output_dict: ArtifactDict
) -> None:
    """Puts as many transformed artifacts into `output_dict` as there are examples.

    One output becomes several, numbered below its own URI; others stay as they are.
    """
    count = len(input_dict[keys.EXAMPLES_KEY])
    outputs = output_dict.get(keys.TRANSFORMED_EXAMPLES_KEY, [])
    if count < 2 or len(outputs) != 1:
        return
    replicas = [copy.deepcopy(outputs[0]) for _ in range(count)]
    for number, replica in enumerate(replicas):
        replica.uri = os.path.join(outputs[0].uri, str(number))
    output_dict[keys.TRANSFORMED_EXAMPLES_KEY] = replicas


def ResolveSplitsConfig(
    splits_config_str: str | None, examples: Sequence[Artifact]
) -> transform_pb2.SplitsConfig:
    """The config as JSON says it; without one, "train" is analyzed and all are transformed."""
    config = read_splits_config(splits_config_str)
    if config is not None:
        return config
    names = [decode_split_names(artifact.split_names) for artifact in examples]
    if any(set(one) != set(names[0]) for one in names):
        raise ValueError(f"Not all input artifacts have the same split names: {names}")
    return transform_pb2.SplitsConfig(analyze=[DEFAULT_TRAIN_SPLIT], transform=names[0])


def SetSplitNames(splits: Sequence[str], transformed_examples: Sequence[Artifact] | None) -> None:
    """Gives all artifacts the same splits."""
    for artifact in transformed_examples or ():
        artifact.split_names = encode_split_names(list(splits))


def GetSplitPaths(transformed_examples: Sequence[Artifact] | None) -> list[str]:
    """The beginnings of the files of transformed examples, split by split."""
    if not transformed_examples:
        return []
    return [
        os.path.join(uri, _TRANSFORMED_EXAMPLES_PREFIX)
        for split in decode_split_names(transformed_examples[0].split_names)
        for uri in get_split_uris(transformed_examples, split)
    ]


def GetCachePathEntry(label: str, params_dict: Mapping[str, Sequence[Artifact]]) -> dict[str, str]:
    """The path of an analyzer cache by its label; nothing if there is no such artifact."""
    if not params_dict.get(label):
        return {}
    return {_CACHE_LABELS[label]: get_single_uri(params_dict[label])}


def GetStatsOutputPathEntries(
    disable_statistics: bool, output_dict: Mapping[str, Sequence[Artifact]]
) -> dict[str, str]:
    """The paths of statistics, schemas and anomalies by their labels.

    Raises:
        ValueError: if some are there and others not.
    """
    if disable_statistics:
        return {}
    found = {
        label: get_single_uri(output_dict[key])
        for label, key in _STATISTICS_LABELS.items()
        if key in output_dict
    }
    if found and len(found) != len(_STATISTICS_LABELS):
        missing = [key for key in _STATISTICS_LABELS.values() if key not in output_dict]
        raise ValueError(
            "Either all stats_output_paths should be specified or none. "
            f"Missing are {', '.join(missing)}."
        )
    return found


def _sole_value(inputs: Mapping[str, Any], key: str) -> Any:
    value = inputs.get(key)
    if not isinstance(value, (list, tuple)):
        return value
    if len(value) > 1:
        raise ValueError(f"Expected one value for {key}, got {len(value)}.")
    return value[0] if value else None
