"""The check of what `run_fn` saved, so that a broken model is found here and not in serving."""

from __future__ import annotations

import os
import re

_SHARD = re.compile(r"variables\.data-\d{5}-of-(\d{5})$")


def check_serving_model(serving_model_dir: str) -> None:
    """Raises RuntimeError unless there is a model.

    The directory must exist and hold something. If it holds a `saved_model.pb`, that must parse
    and its variables must be there. Anything else (a pickle, a LiteRT file) is the user's own.
    """
    if not os.path.isdir(serving_model_dir) or not os.listdir(serving_model_dir):
        raise RuntimeError(
            "run_fn failed to generate model. Nothing was saved to fn_args.serving_model_dir, "
            f"which is {serving_model_dir}. End run_fn with, for example, "
            "tf.saved_model.save(model, fn_args.serving_model_dir)."
        )
    path = os.path.join(serving_model_dir, "saved_model.pb")
    if os.path.exists(path):
        _check_saved_model(path)


def _check_saved_model(path: str) -> None:
    from tensorflow.core.protobuf import saved_model_pb2

    saved_model = saved_model_pb2.SavedModel()
    try:
        with open(path, "rb") as file:
            saved_model.ParseFromString(file.read())
    except Exception as error:  # protobuf's decode errors have no common public base
        raise RuntimeError(
            f"run_fn saved a broken model: {path} does not parse ({error})."
        ) from error
    if not saved_model.meta_graphs:
        raise RuntimeError(f"run_fn saved a broken model: {path} holds no graph.")
    if any(_has_variables(graph) for graph in saved_model.meta_graphs):
        _check_variables(os.path.join(os.path.dirname(path), "variables"))


def _has_variables(graph: object) -> bool:
    objects = graph.object_graph_def.nodes  # type: ignore[attr-defined]
    if any(node.WhichOneof("kind") == "variable" for node in objects):
        return True
    operations = graph.graph_def.node  # type: ignore[attr-defined]
    return any(node.op in ("VarHandleOp", "VariableV2") for node in operations)


def _check_variables(directory: str) -> None:
    names = os.listdir(directory) if os.path.isdir(directory) else []
    shards = [match for match in map(_SHARD.match, names) if match]
    expected = int(shards[0].group(1)) if shards else 1
    if "variables.index" not in names or len(shards) != expected:
        raise RuntimeError(
            f"run_fn saved a model without its variables: {directory} holds {sorted(names)}, "
            "expected variables.index and all of variables.data-*. Was the directory changed "
            "after saving, or is the disk full?"
        )
