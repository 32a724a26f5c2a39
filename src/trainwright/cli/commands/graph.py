"""`trainwright graph`: a picture of the pipeline in a file."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

import click

from trainwright.cli.completions import complete_run
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import json_option, print_json
from trainwright.cli.picture_output import print_dot, write_svg
from trainwright.cli.script_arguments import ScriptCommand
from trainwright.cli.settings_option import parse_settings, settings_option
from trainwright.cli.store_option import (
    absolute_store_url,
    find_store,
    open_chosen_store,
    store_option,
)

if TYPE_CHECKING:
    from trainwright.dsl.pipeline import Pipeline
    from trainwright.history.run_view import RunView
    from trainwright.history.store_choice import StoreChoice


@click.command(cls=ScriptCommand)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@settings_option
@click.option("--svg", metavar="FILE", help="Where the picture goes; - is standard output.")
@click.option("--dot", "as_dot", is_flag=True, help="Print text for Graphviz instead.")
@click.option(
    "--run",
    shell_complete=complete_run,
    help="Colour the nodes by their states in this run: an id, its beginning, or `latest`.",
)
@store_option
@json_option
def graph(
    file: str,
    settings: tuple[str, ...],
    svg: str | None,
    as_dot: bool,
    run: str | None,
    store: str | None,
    as_json: bool,
    script_arguments: tuple[str, ...],
) -> None:
    """Draw the pipeline in FILE, without running it.

    The picture is an SVG file named after the pipeline, or goes to standard output if that is not a
    terminal. With --run it shows what became of each node, by default in the pipeline's own store.
    What follows `--` goes to FILE as its own arguments.

    \b
    trainwright graph pipeline.py
    trainwright graph pipeline.py --run latest --svg latest.svg
    """
    from trainwright.cli.pipeline_file import find_pipeline
    from trainwright.cli.pipeline_picture import pipeline_document, pipeline_picture

    if as_dot + as_json + (svg is not None) > 1:
        raise click.UsageError("Choose one of --dot, --svg and --json.")
    pipeline = find_pipeline(file, parse_settings(settings), script_arguments).pipeline
    view = _find_view(pipeline, run, store) if run is not None else None
    if as_json:
        print_json(pipeline_document(pipeline, view))
    elif as_dot:
        print_dot(pipeline_picture(pipeline, view))
    else:
        write_svg(pipeline_picture(pipeline, view), svg or _default_path(pipeline))


def _default_path(pipeline: Pipeline) -> str:
    if not sys.stdout.isatty():
        return "-"
    return re.sub(r"[^\w.-]+", "_", pipeline.pipeline_name) + ".svg"


def _find_view(pipeline: Pipeline, wanted: str, store: str | None) -> RunView:
    from trainwright.history.run_history import list_runs
    from trainwright.history.run_view import find_run_view

    name = pipeline.pipeline_name
    with open_chosen_store(_choose_store(pipeline, store)) as opened:
        if wanted == "latest":
            newest = list_runs(opened, pipeline=name, limit=1)
            if not newest:
                raise WrongQuestionError(f"The store holds no run of pipeline {name!r} yet.")
            wanted = newest[0].run_id
        view = find_run_view(opened, wanted)
    if view.run.pipeline != name:
        raise WrongQuestionError(
            f"Run {view.run.run_id} is one of pipeline {view.run.pipeline!r}, not of {name!r}."
        )
    return view


def _choose_store(pipeline: Pipeline, store: str | None) -> StoreChoice:
    """The store that a run of this pipeline uses, unless another is named."""
    from trainwright.history.store_choice import StoreChoice
    from trainwright.metadata.connection import as_connection_config

    given = pipeline.metadata_connection_config
    if store is None and given is not None:
        url = as_connection_config(given).url
        return StoreChoice(url=absolute_store_url(url), source="the pipeline")
    chosen = find_store(store)
    if (chosen is None or chosen.is_guess) and isinstance(pipeline.pipeline_root, str):
        beside = os.path.join(pipeline.pipeline_root, "metadata.db")
        if os.path.exists(beside):
            return StoreChoice(url=absolute_store_url(beside), source="the pipeline's root")
    if chosen is None:
        raise WrongQuestionError(
            f"Pipeline {pipeline.pipeline_name!r} has not run yet, so there is no run to colour it "
            "by. Leave --run out, or name the store with --store PATH."
        )
    return chosen
