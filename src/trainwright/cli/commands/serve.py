"""`trainwright serve`: a model that answers requests, as TensorFlow Serving does."""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from trainwright._paths import is_remote
from trainwright._printable import printable
from trainwright.cli import exit_codes
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import echo, json_option
from trainwright.cli.store_option import open_existing_store, store_option
from trainwright.serving.settings import ServingSettings

if TYPE_CHECKING:
    from trainwright.metadata.records import ArtifactRecord
    from trainwright.serving.model_directory import ModelDirectory
    from trainwright.serving.process import Started

_DEFAULTS = ServingSettings()
_LOG_LEVELS = ("debug", "info", "warning", "error")
_MEGABYTE = 1 << 20
_SECONDS_FOR_THREADS = 1.0


@click.command()
@click.argument("model", type=click.Path())
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on. 0.0.0.0 lets everybody ask who can reach this machine.",
)
@click.option(
    "--port",
    default=8501,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="0 takes one that is free, and prints it.",
)
@click.option("--name", default="", help="What requests call the model. Default: its directory.")
@click.option(
    "--version",
    "versions",
    multiple=True,
    type=click.IntRange(min=0),
    help="Serve this version instead of the newest; may be given several times.",
)
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="LABEL=VERSION",
    help="Serve this version, too, under a label: --label stable=3.",
)
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="A name under which the server is asked, such as that of a proxy before it.",
)
@click.option(
    "--max-batch-size",
    default=_DEFAULTS.max_batch_size,
    show_default=True,
    type=click.IntRange(min=1),
    help="The most rows of concurrent requests to compute at once; 1 for each by itself.",
)
@click.option(
    "--batch-wait-ms",
    default=_DEFAULTS.batch_wait_ms,
    show_default=True,
    type=click.FloatRange(min=0, max=10_000),
    help="The longest that a request waits for others, if more came together before.",
)
@click.option(
    "--max-queue",
    default=_DEFAULTS.max_queue,
    show_default=True,
    type=click.IntRange(min=1),
    help="The most requests that may wait; more are refused with 503.",
)
@click.option(
    "--threads",
    default=_DEFAULTS.threads,
    type=click.IntRange(min=0),
    help="How many batches are computed at once. Default: one for two cores, up to 4.",
)
@click.option(
    "--max-body-mb",
    default=_DEFAULTS.max_body_bytes // _MEGABYTE,
    show_default=True,
    type=click.IntRange(1, 2048),
    help="The largest body of a request, in MiB.",
)
@click.option(
    "--timeout",
    default=_DEFAULTS.timeout_seconds,
    show_default=True,
    type=click.FloatRange(min=0.001, max=86_400),
    help="The longest that a request may take, in seconds.",
)
@click.option(
    "--poll-seconds",
    default=_DEFAULTS.poll_seconds,
    show_default=True,
    type=click.FloatRange(min=0.01, max=86_400),
    help="How often new versions are looked for.",
)
@click.option(
    "--log-level",
    default="info",
    show_default=True,
    type=click.Choice(_LOG_LEVELS),
    help="debug has a line for each request.",
)
@store_option
@json_option
def serve(
    model: str,
    host: str,
    port: int,
    name: str,
    versions: Sequence[int],
    labels: Sequence[str],
    allowed_hosts: Sequence[str],
    max_batch_size: int,
    batch_wait_ms: float,
    max_queue: int,
    threads: int,
    max_body_mb: int,
    timeout: float,
    poll_seconds: float,
    log_level: str,
    store: str | None,
    as_json: bool,
) -> None:
    """Answer requests with a model, as TensorFlow Serving's REST API does.

    MODEL is a directory that a Pusher pushes to, whose newest version is served as it comes; the
    directory of a SavedModel; or a Model, PushedModel or InfraBlessing artifact, by its id or its
    directory.

    \b
    trainwright serve serving_model/penguin
    curl localhost:8501/v1/models/penguin:predict -d '{"instances": [[1.0, 2.0]]}'

    It listens on this machine alone unless --host says otherwise, and ends on Ctrl-C or SIGTERM
    when it has answered what it has begun. GET /readyz says whether a version is served, /metrics
    has Prometheus' counters.
    """
    # TensorFlow reads this when it is imported; what it tells of its build is noise here.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    from trainwright.serving.process import CannotServeError, ServerOptions
    from trainwright.serving.process import serve as serve_model

    settings = ServingSettings(
        max_batch_size=max_batch_size,
        batch_wait_ms=batch_wait_ms,
        max_queue=max_queue,
        threads=threads,
        max_body_bytes=max_body_mb * _MEGABYTE,
        timeout_seconds=timeout,
        poll_seconds=poll_seconds,
    )
    options = ServerOptions(
        directory=_find_model(model, name, store),
        host=host,
        port=port,
        only=frozenset(versions),
        labels=_parse_labels(labels),
        allowed_hosts=tuple(allowed_hosts),
        settings=settings,
        must_load=bool(versions or labels),
    )
    _log_to_stderr(log_level)
    try:
        serve_model(options, lambda started: _tell(started, options.directory, as_json))
    except (CannotServeError, ModuleNotFoundError) as error:
        raise WrongQuestionError(str(error)) from error
    except KeyboardInterrupt:
        _leave(exit_codes.STOPPED)
        raise
    _leave(exit_codes.OK)


def _leave(code: int) -> None:
    """Ends the process if a thread is still loading or computing: Python would wait for it."""
    for thread in threading.enumerate():
        if thread.name.startswith("trainwright-"):
            thread.join(_SECONDS_FOR_THREADS)
            if thread.is_alive():
                sys.stdout.flush()
                os._exit(code)


def _find_model(model: str, name: str, store: str | None) -> ModelDirectory:
    """The model by its directory, or by the id of an artifact."""
    from trainwright.serving.model_directory import find_model
    from trainwright.storage.uris import without_secrets

    path = model
    if model.isdecimal() and not os.path.exists(model):
        with open_existing_store(store) as opened:
            from trainwright.history.artifacts import find_artifact

            path = _served_path(find_artifact(opened, int(model)))
    if is_remote(path):
        raise WrongQuestionError(
            f"{without_secrets(path)} is in an object store, and local directories are served. "
            "Give the id of a Model artifact, of which a copy is taken (`trainwright artifacts "
            "--type Model`), or copy the versions to a directory."
        )
    try:
        return find_model(path, name)
    except (ValueError, OSError) as error:
        raise WrongQuestionError(str(error)) from error


def _served_path(artifact: ArtifactRecord) -> str:
    """The directory that an artifact is served from: of a push, that of all versions."""
    from trainwright.storage.local_copies import on_this_machine

    kind = artifact.type.name
    if kind == "PushedModel":
        destination = artifact.custom_properties.get("pushed_destination")
        if not destination:
            raise WrongQuestionError(f"Nothing was pushed to PushedModel {artifact.id}.")
        return os.path.dirname(str(destination))
    if kind not in ("Model", "InfraBlessing"):
        raise WrongQuestionError(
            f"Artifact {artifact.id} is of type {kind}: expected a Model, a PushedModel or an "
            "InfraBlessing. `trainwright artifacts --type Model` lists models."
        )
    return on_this_machine(artifact.uri)


def _parse_labels(labels: Sequence[str]) -> dict[str, int]:
    parsed = {}
    for label in labels:
        key, _, version = label.partition("=")
        if not key or "/" in key or ":" in key or not version.isdecimal():
            raise WrongQuestionError(
                f"--label {label!r} is not a label: expected LABEL=VERSION, such as stable=3."
            )
        parsed[key] = int(version)
    return parsed


class _PrintableFormatter(logging.Formatter):
    """Lines without escape sequences: what they hold may come from a request."""

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


def _log_to_stderr(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_PrintableFormatter("%(asctime)s %(levelname)s %(message)s"))
    ours = logging.getLogger("trainwright.serving")
    ours.addHandler(handler)
    ours.setLevel(level.upper())
    ours.propagate = False
    # uvicorn's own news are said here in our words; its errors are passed on.
    for name in ("uvicorn", "uvicorn.error", "tensorflow"):
        logging.getLogger(name).setLevel(logging.DEBUG if level == "debug" else logging.WARNING)
    logging.getLogger("uvicorn").addHandler(handler)


def _tell(started: Started, directory: ModelDirectory, as_json: bool) -> None:
    if as_json:
        document: dict[str, Any] = {
            "url": started.url,
            "port": started.port,
            "name": started.name,
            "versions": list(started.versions),
        }
        echo(json.dumps(document))
    else:
        served = ", ".join(map(str, started.versions))
        waits = f"no version yet: waiting for one at {directory.path}"
        echo(
            f"Serving {started.name} ({f'version {served}' if served else waits}) at {started.url}"
        )
        echo(f"  curl {started.url}/metadata")
        if not _is_local(started.host):
            echo("Everybody who can reach this machine can ask the model.", err=True)
    sys.stdout.flush()


def _is_local(host: str) -> bool:
    from trainwright.serving.http_guard import is_loopback

    return is_loopback(host)
