"""`trainwright lineage`: what an artifact was made of, and what was made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from trainwright.cli.output import echo, json_option, print_json, to_plain
from trainwright.cli.picture_output import print_dot, write_svg
from trainwright.cli.store_option import open_existing_store, store_option
from trainwright.history.artifacts import trace_lineage

if TYPE_CHECKING:
    from trainwright.history.execution_facts import ExecutionFacts
    from trainwright.metadata.lineage import Lineage


@click.command()
@click.argument("artifact_id", metavar="[ID]", type=click.IntRange(min=1), required=False)
@click.option(
    "--execution",
    "execution_id",
    metavar="ID",
    type=click.IntRange(min=1),
    help="Start at an execution instead of an artifact.",
)
@click.option("--down", is_flag=True, help="What was made of it, instead of what it was made of.")
@click.option(
    "--depth", type=click.IntRange(min=1), help="How many executions to follow; all if not given."
)
@click.option("--dot", "as_dot", is_flag=True, help="Print text for Graphviz.")
@click.option("--svg", metavar="FILE", help="Write a picture; - is standard output.")
@store_option
@json_option
def lineage(
    artifact_id: int | None,
    execution_id: int | None,
    down: bool,
    depth: int | None,
    as_dot: bool,
    svg: str | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Show what the artifact ID was made of, up to where it began.

    Reused results appear once, with the execution that made them.

    \b
    trainwright lineage 3
    trainwright lineage 1 --down
    trainwright lineage --execution 7 --svg lineage.svg
    """
    if (artifact_id is None) == (execution_id is None):
        raise click.UsageError("Give the ID of an artifact, or --execution ID; not both.")
    if as_dot + as_json + (svg is not None) > 1:
        raise click.UsageError("Choose one of --dot, --svg and --json.")
    with open_existing_store(store) as opened:
        found, facts = trace_lineage(
            opened, artifact_id=artifact_id, execution_id=execution_id, down=down, depth=depth
        )
    if as_json:
        print_json(_document(found, facts))
        return
    from trainwright.cli.lineage_view import lineage_picture, lineage_tree
    from trainwright.cli.tree_text import tree_lines

    if as_dot:
        print_dot(lineage_picture(found, facts, artifact_id, execution_id, down=down))
    elif svg is not None:
        write_svg(lineage_picture(found, facts, artifact_id, execution_id, down=down), svg)
    else:
        for line in tree_lines(lineage_tree(found, facts, artifact_id, execution_id, down=down)):
            echo(*line)


def _document(found: Lineage, facts: dict[int, ExecutionFacts]) -> dict[str, Any]:
    return {
        "artifacts": list(found.artifacts.values()),
        "executions": [to_plain(facts[number]) for number in sorted(facts)],
        "edges": found.edges,
    }
