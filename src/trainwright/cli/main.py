"""The `trainwright` command: run pipelines and look at what they did."""

from __future__ import annotations

import sys

import click

from trainwright import __version__
from trainwright.cli.doctor import doctor
from trainwright.cli.run import run
from trainwright.cli.runs import runs
from trainwright.cli.show import show


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="trainwright")
def cli() -> None:
    """Train models in pipelines, and see what was made of what.

    \b
    trainwright run pipeline.py        run a pipeline; what is unchanged is reused
    trainwright runs                   list the runs
    trainwright show latest            look at one
    """


cli.add_command(run)
cli.add_command(runs)
cli.add_command(show)
cli.add_command(doctor)


def main() -> None:
    """Runs the command; mistakes of the user end in one sentence and exit code 2."""
    from trainwright.metadata.store import MetadataError

    try:
        cli(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(130)
    except MetadataError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
