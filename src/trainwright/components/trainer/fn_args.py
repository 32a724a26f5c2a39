"""The FnArgs of a Trainer: those of any training, and where the model goes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.components.user_training.fn_args import (
    FnArgs,
    make_common_fn_args,
    read_hyperparameters,
)
from trainwright.dsl.base_executor import ArtifactDict
from trainwright.types import model_paths, splits
from trainwright.types.artifact import Artifact


def make_fn_args(
    input_dict: ArtifactDict,
    output_dict: ArtifactDict,
    exec_properties: Mapping[str, Any],
) -> FnArgs:
    """Fills FnArgs from what an executor gets."""
    fn_args = make_common_fn_args(input_dict, exec_properties)
    fn_args.schema_file = fn_args.schema_path
    fn_args.transform_output = fn_args.transform_graph_path
    model_uri = output_dict["model"][0].uri
    fn_args.serving_model_dir = model_paths.serving_model_dir(model_uri)
    fn_args.eval_model_dir = model_paths.eval_model_dir(model_uri)
    fn_args.model_run_dir = output_dict["model_run"][0].uri
    if input_dict.get("hyperparameters"):
        fn_args.hyperparameters = read_hyperparameters(input_dict["hyperparameters"][0].uri)
    if input_dict.get("statistics"):
        fn_args.num_examples = _count_examples(input_dict["statistics"])
    return fn_args


def _count_examples(statistics: Sequence[Artifact]) -> dict[str, int]:
    """The number of examples by split, added up over the artifacts."""
    from trainwright.schemas.statistics_file import read_statistics
    from trainwright.schemas.statistics_view import all_examples

    counts: dict[str, int] = {}
    for artifact in statistics:
        for split in splits.decode_split_names(artifact.split_names):
            directory = os.path.join(artifact.uri, splits.split_directory(split))
            found = all_examples(read_statistics(directory)).num_examples
            counts[split] = counts.get(split, 0) + found
    return counts
