"""The `tfx` command: what scripts that were written for TFX call, on this machine's engine."""

from __future__ import annotations

import os
import sys

import click

from trainwright._printable import printable
from trainwright.cli import exit_codes
from trainwright.cli.lazy_group import LazyCommand, LazyGroup, ReaderGoneError
from trainwright.cli.output import echo

_PIPELINE = "trainwright.cli.tfx_command.pipeline_commands"
_RUN = "trainwright.cli.tfx_command.run_commands"
_TEMPLATE = "trainwright.cli.tfx_command.template_commands"

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

pipeline = LazyGroup(
    "pipeline",
    help="Register pipelines under their names.",
    commands_by_name={
        "create": LazyCommand(f"{_PIPELINE}:create", "Register the pipeline that a file runs."),
        "update": LazyCommand(f"{_PIPELINE}:update", "Register it anew."),
        "compile": LazyCommand(f"{_PIPELINE}:compile_pipeline", "Compile it; register nothing."),
        "list": LazyCommand(f"{_PIPELINE}:list_pipelines", "List the registered pipelines."),
        "delete": LazyCommand(f"{_PIPELINE}:delete", "Forget a pipeline; its outputs stay."),
        "schema": LazyCommand(f"{_PIPELINE}:schema", "Print and copy its latest schema."),
    },
)

run = LazyGroup(
    "run",
    help="Run registered pipelines and look after their runs.",
    commands_by_name={
        "create": LazyCommand(f"{_RUN}:create", "Run a pipeline, here and now."),
        "list": LazyCommand(f"{_RUN}:list_runs", "List the runs of a pipeline, newest first."),
        "status": LazyCommand(f"{_RUN}:status", "Say what became of a run."),
        "terminate": LazyCommand(f"{_RUN}:terminate", "Stop a run, whichever process it is in."),
        "delete": LazyCommand(f"{_RUN}:delete", "Delete a run from the history."),
    },
)

template = LazyGroup(
    "template",
    help="Begin a new pipeline from a template.",
    commands_by_name={
        "list": LazyCommand(f"{_TEMPLATE}:list_templates", "List the templates."),
        "copy": LazyCommand(f"{_TEMPLATE}:copy", "Copy a template to a directory."),
    },
)


@click.group(
    cls=LazyGroup,
    commands_by_name={
        "pipeline": LazyCommand(f"{__name__}:pipeline", "Register pipelines under their names."),
        "run": LazyCommand(f"{__name__}:run", "Run them and look after their runs."),
        "template": LazyCommand(f"{__name__}:template", "Begin a new pipeline from a template."),
    },
    context_settings=_CONTEXT,
)
def cli() -> None:
    """TFX's own command, for pipelines that run on this machine.

    \b
    tfx template copy --model=penguin --pipeline_name=my_penguins --destination_path=my_penguins
    tfx pipeline create --engine=local --pipeline_path=my_penguins/local_runner.py
    tfx run create --engine=local --pipeline_name=my_penguins

    `trainwright` says more about runs and what they made.
    """
    echo("CLI")  # the first line of every answer of TFX's command


def main() -> None:
    """Runs the command: exit code 2 for wrong options, 1 for whatever else goes wrong."""
    sys.exit(_exit_code(sys.argv[1:]))


def _exit_code(arguments: list[str]) -> int:
    from trainwright.history.errors import NotInHistoryError
    from trainwright.metadata.store import MetadataError

    try:
        result = cli.main(arguments, prog_name="tfx", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.message = printable(error.message)  # type: ignore[misc]
        error.show()
        return error.exit_code if isinstance(error, click.UsageError) else exit_codes.FAILED
    except (MetadataError, NotInHistoryError) as error:
        click.ClickException(printable(str(error))).show()
        return exit_codes.FAILED
    except (click.Abort, KeyboardInterrupt):
        return exit_codes.STOPPED
    except (ReaderGoneError, BrokenPipeError):
        # Or Python would complain about the pipe once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exit_codes.READER_GONE
    return result if isinstance(result, int) else exit_codes.OK
