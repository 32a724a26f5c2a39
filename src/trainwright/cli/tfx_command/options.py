"""The options that the parts of TFX's command share, and the errors that they end in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click

from trainwright._suggest import did_you_mean
from trainwright.cli.output import echo

Command = TypeVar("Command", bound=Callable[..., Any])

# Both run here; each has its own registered pipelines, as in TFX.
_ENGINES_HERE = ("local", "beam")
_OTHER_SYSTEMS = {
    "airflow": "Apache Airflow",
    "kubeflow": "Kubeflow Pipelines",
    "vertex": "Vertex AI Pipelines",
}

# Options that only mean something to other systems.
_REMOTE_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "endpoint": {"help": "Address of a Kubeflow server."},
    "iap_client_id": {"help": "Client id for such a server."},
    "namespace": {"help": "Kubernetes namespace of such a server."},
    "project": {"help": "Google Cloud project."},
    "region": {"help": "Google Cloud region."},
    "build_image": {"help": "Build a container image.", "is_flag": True},
    "build_base_image": {"help": "The image that it is built on."},
}


class Failure(click.ClickException):
    """The command could not do what it was asked for; the message says what to do."""


def spellings(name: str) -> tuple[str, ...]:
    """How an option may be written: with underscores or hyphens.

    >>> spellings("run_id")
    ('--run_id', '--run-id')
    """
    return tuple(dict.fromkeys((f"--{name}", f"--{name.replace('_', '-')}")))


def engine_option(command: Command) -> Command:
    """Adds `--engine`."""
    return click.option(
        "--engine",
        default="auto",
        metavar="NAME",
        help="auto, local or beam: all of them run on this machine. [default: auto]",
    )(command)


def name_option(command: Command) -> Command:
    """Adds `--pipeline_name`, which arrives as `name`."""
    return click.option(
        *spellings("pipeline_name"), "name", required=True, help="The name of the pipeline."
    )(command)


def remote_options(*names: str) -> Callable[[Command], Command]:
    """Adds options of other systems; one that is given is answered with a note."""

    def add(command: Command) -> Command:
        for name in reversed(names):
            short = ("-n",) if name == "namespace" else ()
            settings = dict(_REMOTE_OPTIONS[name])
            settings["help"] = f"{settings['help']} Not used on this machine."
            command = click.option(
                *short,
                *spellings(name),
                name,
                expose_value=False,
                callback=_note_unused,
                **settings,
            )(command)
        return command

    return add


def _note_unused(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value:
        echo(
            f"{parameter.opts[-1]} is for pipelines on other systems; it has no effect on this "
            "machine.",
            err=True,
        )


def choose_engine(name: str) -> str:
    """The engine that `--engine` means, or an error that says what to use instead."""
    if name == "auto":
        echo("Detected Local.")
        echo("Use --engine flag if you intend to use a different orchestrator.")
        return "local"
    if name in _OTHER_SYSTEMS:
        raise Failure(
            f"Engine {name} hands pipelines to {_OTHER_SYSTEMS[name]}, where containers with TFX "
            "run the nodes; here they run on this machine. Use --engine=local with a file that "
            "calls LocalDagRunner().run(...) and has local paths. For a schedule, let cron, or a "
            f"task of {_OTHER_SYSTEMS[name]}, start `tfx run create --engine=local "
            "--pipeline_name=NAME`."
        )
    if name not in _ENGINES_HERE:
        known = (*_ENGINES_HERE, "auto")
        raise Failure(f"Engine {name} is not supported.{guess(name, known)}")
    return name


def guess(name: str, known: Iterable[str]) -> str:
    """A sentence behind one of TFX's, which scripts may look for up to its full stop.

    >>> guess("loacl", ["local"]), guess("flink", ["local"])
    (" Did you mean 'local'? Known are 'local'.", " Known are 'local'.")
    """
    return did_you_mean(name, known).removeprefix(".").replace("; did", " Did", 1)
