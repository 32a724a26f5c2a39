"""TransformRequest: what a Transform is to do, read from the artifacts and properties it gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainwright.components.custom_config import decode_custom_config
from trainwright.components.transform.splits import (
    SplitFiles,
    choose_splits,
    find_files,
    in_order,
    read_splits_config,
)
from trainwright.components.user_module import (
    find_module_file,
    function_at,
    get_user_function,
    load_module_file,
)
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.dsl.base_executor import ArtifactDict
from trainwright.dsl.io.io_utils import get_only_uri_in_dir
from trainwright.types import standard_component_specs as keys
from trainwright.types.artifact_utils import get_single_uri


@dataclass(frozen=True, kw_only=True)
class StatisticsDirectories:
    """Where statistics, schemas and anomalies go."""

    raw_schema: str
    raw_statistics: str
    transformed_schema: str
    transformed_statistics: str
    anomalies: str


@dataclass(frozen=True, kw_only=True)
class TransformRequest:
    """What to do and where to put it.

    Args:
        preprocessing_fn: The user's function.
        stats_options_updater_fn: The user's function that changes options of statistics.
        custom_config: For those of them that have such an argument.
        force_tf_compat_v1: Whether to trace the function as one of TensorFlow 1.
        schema_path: The schema of the raw examples.
        examples: How the raw examples are read; their files are those of the splits.
        to_analyze: The files to compute means and vocabularies from.
        to_transform: The files to apply the function to.
        graph_directory: Where the transform graph goes.
        transformed_directory: Where transformed examples go; None if they are not wanted.
        earlier_caches: Directories in which earlier analyses left what they had gathered.
        cache_directory: Where this one leaves it; None if it is not wanted.
        statistics: Where statistics go; None if they are not wanted.
    """

    preprocessing_fn: Callable[..., Any]
    stats_options_updater_fn: Callable[..., Any] | None = None
    custom_config: dict[str, Any] | None = None
    force_tf_compat_v1: bool = False
    schema_path: str
    examples: ExampleFiles
    to_analyze: Sequence[SplitFiles]
    to_transform: Sequence[SplitFiles]
    graph_directory: str
    transformed_directory: str | None = None
    earlier_caches: Sequence[str] = ()
    cache_directory: str | None = None
    statistics: StatisticsDirectories | None = None


def read_request(
    input_dict: ArtifactDict, output_dict: ArtifactDict, exec_properties: Mapping[str, Any]
) -> TransformRequest:
    """Reads what an executor gets; the user's module is loaded.

    Raises:
        ValueError: if the examples lack a split or cannot be read.
    """
    if exec_properties.get(keys.MODULE_FILE_KEY) and exec_properties.get(keys.PREPROCESSING_FN_KEY):
        raise ValueError(
            "At most one of module_file, preprocessing_fn should be supplied in the input."
        )
    examples = in_order(input_dict[keys.EXAMPLES_KEY])
    config = read_splits_config(exec_properties.get(keys.SPLITS_CONFIG_KEY))
    to_analyze, to_transform = choose_splits(examples, config)
    return TransformRequest(
        examples=ExampleFiles.of_artifacts(examples),
        preprocessing_fn=get_user_function(exec_properties, keys.PREPROCESSING_FN_KEY),
        stats_options_updater_fn=find_stats_options_updater(exec_properties),
        custom_config=decode_custom_config(exec_properties.get(keys.CUSTOM_CONFIG_KEY)),
        force_tf_compat_v1=bool(exec_properties.get(keys.FORCE_TF_COMPAT_V1_KEY)),
        schema_path=get_only_uri_in_dir(get_single_uri(input_dict[keys.SCHEMA_KEY])),
        to_analyze=find_files(examples, to_analyze),
        to_transform=find_files(examples, to_transform, _separate_outputs(input_dict, output_dict)),
        graph_directory=get_single_uri(output_dict[keys.TRANSFORM_GRAPH_KEY]),
        transformed_directory=_first_uri(output_dict, keys.TRANSFORMED_EXAMPLES_KEY),
        earlier_caches=[one.uri for one in input_dict.get(keys.ANALYZER_CACHE_KEY) or ()],
        cache_directory=_uri(output_dict, keys.UPDATED_ANALYZER_CACHE_KEY),
        statistics=_statistics_directories(output_dict),
    )


def find_stats_options_updater(exec_properties: Mapping[str, Any]) -> Callable[..., Any] | None:
    """The user's function; one in a module file need not be there."""
    name = keys.STATS_OPTIONS_UPDATER_FN_KEY
    if module_file := find_module_file(exec_properties):
        return getattr(load_module_file(module_file), name, None)
    given = exec_properties.get(name)
    return function_at(given) if isinstance(given, str) else given


def _statistics_directories(output_dict: ArtifactDict) -> StatisticsDirectories | None:
    if keys.PRE_TRANSFORM_STATS_KEY not in output_dict:
        return None
    return StatisticsDirectories(
        raw_schema=get_single_uri(output_dict[keys.PRE_TRANSFORM_SCHEMA_KEY]),
        raw_statistics=get_single_uri(output_dict[keys.PRE_TRANSFORM_STATS_KEY]),
        transformed_schema=get_single_uri(output_dict[keys.POST_TRANSFORM_SCHEMA_KEY]),
        transformed_statistics=get_single_uri(output_dict[keys.POST_TRANSFORM_STATS_KEY]),
        anomalies=get_single_uri(output_dict[keys.POST_TRANSFORM_ANOMALIES_KEY]),
    )


def _separate_outputs(input_dict: ArtifactDict, output_dict: ArtifactDict) -> dict[str, str] | None:
    """Where what is made of each artifact goes, by its URI; None if all of it goes to one place."""
    inputs = input_dict[keys.EXAMPLES_KEY]
    outputs = output_dict.get(keys.TRANSFORMED_EXAMPLES_KEY, [])
    if len(outputs) < 2:
        return None
    if len(outputs) != len(inputs):
        raise ValueError(
            f"There are {len(inputs)} Examples artifacts and {len(outputs)} for what is made of "
            "them. Expected one for all, or one for each."
        )
    return {one.uri: output.uri for one, output in zip(inputs, outputs, strict=True)}


def _first_uri(output_dict: ArtifactDict, key: str) -> str | None:
    return output_dict[key][0].uri if output_dict.get(key) else None


def _uri(output_dict: ArtifactDict, key: str) -> str | None:
    return get_single_uri(output_dict[key]) if key in output_dict else None
