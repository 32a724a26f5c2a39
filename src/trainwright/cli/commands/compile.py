"""`trainwright compile`: the pipeline in a file as a JSON document."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from trainwright.cli.output import echo, json_option, print_json
from trainwright.cli.script_arguments import ScriptCommand
from trainwright.cli.settings_option import parse_settings, settings_option


@click.command("compile", cls=ScriptCommand)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@settings_option
@click.option("-o", "--output", metavar="PATH", help="Default: FILE with .json in place of .py.")
@click.option("--store", metavar="PATH|URL", help="The metadata store, if the pipeline names none.")
@json_option
def compile_pipeline(
    file: str,
    settings: tuple[str, ...],
    output: str | None,
    store: str | None,
    as_json: bool,
    script_arguments: tuple[str, ...],
) -> None:
    """Write the pipeline in FILE as JSON: its graph, and a command that executes each node.

    For orchestrators that start commands. User code is not in it: the commands load FILE again,
    with the same settings and arguments, which the document holds as they are given.

    \b
    trainwright compile pipeline.py -o pipeline.json
    trainwright execute-node pipeline.json Trainer --run 2026-11-18
    """
    from trainwright.cli.commands.run import RunCommand, refusals_in_one_sentence
    from trainwright.cli.pipeline_file import find_pipeline
    from trainwright.cli.whole_files import write_whole
    from trainwright.orchestration.pipeline_document import PipelineSource, pipeline_document

    directory = os.getcwd()
    source = PipelineSource(
        file=os.path.abspath(file),
        settings=parse_settings(settings),
        arguments=script_arguments,
        working_directory=directory,
    )
    path = os.path.abspath(output or os.path.splitext(file)[0] + ".json")
    found = find_pipeline(file, source.settings, script_arguments)
    with refusals_in_one_sentence():
        job = RunCommand(run_options=None, store=store).check(found)
        document = pipeline_document(job, source, path)
    try:
        write_whole(Path(path), json.dumps(document, indent=2).encode() + b"\n")
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error}") from error
    if as_json:
        print_json(document)
    else:
        count = len(document["nodes"])
        echo(f"{count} {'node' if count == 1 else 'nodes'} of {document['pipeline']} in {path}")
