"""The `trainwright` command: run pipelines and look at what they did."""

from __future__ import annotations

import json
import os
import sys

import click

from trainwright import __version__
from trainwright._plugins import PluginError
from trainwright._printable import printable
from trainwright.cli import exit_codes
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.lazy_group import LazyCommand, LazyGroup, ReaderGoneError
from trainwright.cli.output import echo
from trainwright.cli.script_arguments import split_arguments


def _command(source: str, short_help: str) -> LazyCommand:
    return LazyCommand(f"trainwright.cli.commands.{source}", short_help)


COMMANDS = {
    "new": _command("new:new", "Make a project whose pipeline runs."),
    "run": _command("run:run", "Run the pipeline in a file."),
    "runs": _command("runs:runs", "List the runs, newest first."),
    "show": _command("show:show", "Show a run, one node of it, or a page of an artifact."),
    "compare": _command("compare:compare", "Show what differs between two runs."),
    "logs": _command("logs:logs", "Print or follow the log of a node."),
    "cancel": _command("cancel:cancel", "Stop a run."),
    "explain": _command("explain:explain", "Say what a run would do, and why."),
    "artifacts": _command("artifacts:artifacts", "List artifacts, or show one of them."),
    "lineage": _command("lineage:lineage", "Show what was made of what."),
    "graph": _command("graph:graph", "Draw the pipeline in a file."),
    "compile": _command("compile:compile_pipeline", "Write a pipeline as JSON, for other runners."),
    "execute-node": _command(
        "execute_node:execute_node", "Execute one node of a compiled pipeline."
    ),
    "schema": _command("schema:schema", "Show, infer, compare and freeze schemas."),
    "export": _command("export:export", "Write a model for LiteRT, ONNX or TF.js."),
    "serve": _command("serve:serve", "Answer requests with a model, as TensorFlow Serving does."),
    "gc": _command("gc:gc", "Remove artifacts that nothing needs."),
    "import-mlmd": _command("import_mlmd:import_mlmd", "Import the history of TFX pipelines."),
    "check": _command("check:check", "Say what of a TFX project runs here, and what does not."),
    "doctor": _command("doctor:doctor", "Say what is installed and what is missing."),
    "completion": _command("completion:completion", "Print a script that completes commands."),
}


@click.group(
    cls=LazyGroup,
    commands_by_name=COMMANDS,
    plugin_group="trainwright.commands",
    epilog=exit_codes.EXPLANATION,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="trainwright")
def cli() -> None:
    """Train models in pipelines, and see what was made of what.

    \b
    trainwright new my_penguins        begin with a project that runs
    trainwright run pipeline.py        run a pipeline; what is unchanged is reused
    trainwright runs                   list the runs
    trainwright show latest            look at one

    Every command takes --json and then prints JSON alone; an error is {"error": ...} on standard
    error.
    """


def main() -> None:
    """Runs the command; mistakes of the user end in one sentence and exit code 2."""
    sys.exit(_exit_code(sys.argv[1:]))


def _exit_code(arguments: list[str]) -> int:
    from trainwright.history.errors import NotInHistoryError
    from trainwright.metadata.store import MetadataError
    from trainwright.storage.errors import StorageError

    # Looked for here: the options may be wrong, and a pipeline's file gets a sys.argv of its own.
    as_json = "--json" in split_arguments(arguments)[0]
    try:
        result = cli.main(arguments, prog_name="trainwright", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        _tell(error, as_json)
        return error.exit_code
    except (MetadataError, NotInHistoryError, PluginError, StorageError) as error:
        _tell(WrongQuestionError(str(error)), as_json)
        return exit_codes.USAGE_ERROR
    except (click.Abort, KeyboardInterrupt):
        return exit_codes.STOPPED
    except (ReaderGoneError, BrokenPipeError):
        # Or Python would complain about the pipe once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exit_codes.READER_GONE
    return result if isinstance(result, int) else exit_codes.OK


def _tell(error: click.ClickException, as_json: bool) -> None:
    if as_json:
        document = {"error": error.format_message(), "exit_code": error.exit_code}
        echo(json.dumps(document), err=True)
    else:
        # click prints it itself, below the usage of the command.
        error.message = printable(error.message)  # type: ignore[misc]
        error.show()
