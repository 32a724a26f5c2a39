"""Measurements of a node: its executor's last progress report, and the metrics of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.history.run_history import NodeHistory
from trainwright.history.run_view import RunView
from trainwright.metadata.internal_properties import PROGRESS
from trainwright.metadata.store import MetadataStore

# A pace says something of the machine and its load, not of what was made.
_LEFT_OUT = ("steps_per_second",)
# How far it came and how good it was then; the rest, in the order of the alphabet, is more of that.
_FIRST = ("trial", "trials", "epoch", "epochs", "step", "steps", "loss")


def read_measurements(store: MetadataStore, view: RunView, node: NodeHistory) -> dict[str, Any]:
    """Rows, steps, the last loss, metrics: each by its name; those of a reused node are those of
    the execution that it reuses."""
    execution_id = view.made_in(node)
    if execution_id is None:
        return {}
    progress = store.get_attachments(PROGRESS, [execution_id]).get(execution_id, {})
    return {**in_reading_order(progress), **_evaluation_metrics(node)}


def in_reading_order(progress: Mapping[str, Any]) -> dict[str, Any]:
    """What an executor reported, with what is looked for first at the beginning: the store keeps
    no order.

    >>> in_reading_order({"accuracy": 0.9, "loss": 0.2, "step": 5, "steps_per_second": 3.0})
    {'step': 5, 'loss': 0.2, 'accuracy': 0.9}
    """
    names = [*(name for name in _FIRST if name in progress), *sorted(progress)]
    return {name: progress[name] for name in dict.fromkeys(names) if name not in _LEFT_OUT}


def _evaluation_metrics(node: NodeHistory) -> dict[str, float]:
    """The metrics of all examples together, of evaluations whose files are there."""
    from trainwright.html_views.artifact_files import EVALUATION

    uris = [
        artifact.uri
        for group in node.outputs.values()
        for artifact in group
        if artifact.type.name == EVALUATION
    ]
    return {name: value for uri in uris for name, value in _overall_metrics(uri).items()}


def _overall_metrics(uri: str) -> dict[str, float]:
    from trainwright.evaluation.tfma_format.keys import metric_key_from_proto, sub_key_text
    from trainwright.evaluation.tfma_format.reading import load_metrics
    from trainwright.html_views.evaluation.values import number_of
    from trainwright.storage.local_copies import on_this_machine

    metrics = {}
    try:
        slices = list(load_metrics(on_this_machine(uri)))
    except (OSError, ValueError):  # its files are gone, or are not an evaluation
        return {}
    for found in slices:
        if found.slice_key.single_slice_keys or found.HasField("cross_slice_key"):
            continue
        for item in found.metric_keys_and_values:
            key, number = metric_key_from_proto(item.key), number_of(item)
            if number is not None and not item.key.is_diff:
                parts = (key.model_name, key.output_name, key.name, sub_key_text(key.sub_key))
                metrics[" ".join(part for part in parts if part)] = number.value
    return metrics
