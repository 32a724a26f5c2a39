"""A pipeline of 200 components for the explain benchmark."""

from __future__ import annotations

import os

from no_op_components import Begin, Continue

from trainwright import Pipeline

NODES = 200


def create_pipeline() -> Pipeline:
    """A chain, or a wide tree: every node reads one of the ten before it."""
    nodes = [Begin()]
    for number in range(1, NODES):
        source = nodes[max(0, number - 1 - number % 10)]
        node = Continue(given=source.outputs["made"]).with_id(f"Continue{number}")
        nodes.append(node)
    return Pipeline(
        pipeline_name="large",
        pipeline_root=os.environ["EXPLAIN_ROOT"],
        components=nodes,
        enable_cache=True,
    )
