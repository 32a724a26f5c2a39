"""`trainwright show ARTIFACT --html`: the page of an artifact, as one file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from trainwright._paths import is_remote
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import echo, print_json
from trainwright.cli.remote_paths import fetched
from trainwright.cli.store_option import open_existing_store
from trainwright.history.artifacts import find_artifact
from trainwright.history.run_view import find_run_view

if TYPE_CHECKING:
    from trainwright.metadata.records import ArtifactRecord
    from trainwright.metadata.store import MetadataStore

Command = TypeVar("Command", bound=Callable[..., Any])

# What `--html` without a file arrives as: no file has such a name.
_NO_FILE = "\0"
_STANDARD_OUTPUT = "-"
_ENDINGS = (".html", ".htm")


@dataclass(frozen=True, kw_only=True)
class PageSource:
    """What a page is made of.

    Args:
        type_name: The type of the artifact.
        uri: Where it is.
        label: What tells it from others of its type: its id, or the name of its directory.
        artifact_id: Its id, if it was asked for by that.
        statistics_uri: For anomalies, the statistics that were validated, if they are known.
        baseline_uri: Likewise, the statistics that they were compared with.
    """

    type_name: str
    uri: str
    label: str
    artifact_id: int | None = None
    statistics_uri: str | None = None
    baseline_uri: str | None = None


def html_options(command: Command) -> Command:
    """Adds `--html [FILE]`, which arrives as `html`, and `--type`, as `type_name`."""
    command = click.option(
        "--type",
        "type_name",
        metavar="TYPE",
        help="With --html, which type to show of a directory with files of several.",
    )(command)
    return click.option(
        "--html",
        metavar="[FILE.html]",
        is_flag=False,
        flag_value=_NO_FILE,
        help="Write a page about an artifact: statistics, a schema, anomalies, an evaluation, or "
        "what an installed package has a view of. "
        "ARTIFACT is its id, its directory or its address; `-` is standard output.",
    )(command)


def show_html(
    wanted: str, html: str, *, type_name: str | None, store: str | None, as_json: bool
) -> None:
    """Writes the page of an artifact and says where it is."""
    _check_file(html, as_json)
    source = _find_source(wanted, type_name, store)
    if html == _STANDARD_OUTPUT:
        echo(_page(source), nl=False)
        return
    file = f"{source.type_name}-{source.label}.html" if html == _NO_FILE else html
    path = _write_page(source, file)
    if as_json:
        print_json(
            {
                "artifact_id": source.artifact_id,
                "type": source.type_name,
                "uri": source.uri,
                "html": path,
            }
        )
    else:
        echo(f"Wrote {path}", err=True)


def _check_file(html: str, as_json: bool) -> None:
    """Refuses a file that was not meant: an option's value may be the argument behind it."""
    if html == _STANDARD_OUTPUT and as_json:
        raise WrongQuestionError(
            "--html - writes the page to standard output, where --json writes too. Name a file: "
            "--html page.html."
        )
    if html not in (_NO_FILE, _STANDARD_OUTPUT) and not html.endswith(_ENDINGS):
        raise WrongQuestionError(
            f"--html takes a file that ends in .html; it was {html!r}. What to show comes first: "
            "trainwright show ARTIFACT --html."
        )


def _find_source(wanted: str, type_name: str | None, store: str | None) -> PageSource:
    """By an id in digits, or by a path; of a run, the error names what has pages."""
    if wanted.isdecimal():
        with open_existing_store(store) as opened:
            return _source_in_store(opened, int(wanted), type_name)
    if is_remote(wanted) or os.path.exists(wanted):
        return _source_on_disk(fetched(wanted, "ARTIFACT"), type_name)
    with open_existing_store(store) as opened:
        raise WrongQuestionError(_what_run_has(opened, wanted))


def _source_in_store(store: MetadataStore, artifact_id: int, type_name: str | None) -> PageSource:
    from trainwright.html_views.artifact_files import ANOMALIES, has_page, page_types
    from trainwright.storage.errors import StorageError
    from trainwright.storage.local_copies import on_this_machine
    from trainwright.types.standard_component_specs import BASELINE_STATISTICS_KEY

    record = find_artifact(store, artifact_id)
    found = record.type.name
    if not has_page(found) or type_name not in (None, found):
        expected = type_name or _one_of(page_types())
        raise WrongQuestionError(
            f"Artifact {artifact_id} is of type {found}; expected {expected}, which --html can "
            f"show. `trainwright artifacts {artifact_id}` tells about any artifact."
        )
    try:
        uri = on_this_machine(record.uri)
    except StorageError as error:
        raise WrongQuestionError(f"{found} {artifact_id} cannot be shown: {error}") from error
    if not os.path.exists(uri):
        raise WrongQuestionError(
            f"{found} {artifact_id} ({record.state.value.lower()}) is not on this disk: its files "
            f"were at {record.uri}."
        )
    statistics = _statistics_read_for(store, artifact_id) if found == ANOMALIES else {}
    baseline = statistics.pop(BASELINE_STATISTICS_KEY, None)
    return PageSource(
        type_name=found,
        uri=uri,
        label=str(artifact_id),
        artifact_id=artifact_id,
        statistics_uri=next(iter(statistics.values()), None),
        baseline_uri=baseline,
    )


def _statistics_read_for(store: MetadataStore, artifact_id: int) -> dict[str, str]:
    """The statistics that the execution read which made the anomalies, by the key of the input.

    Those that are no longer there are left out.
    """
    from trainwright.html_views.artifact_files import STATISTICS, find_types
    from trainwright.metadata.lineage import trace_upstream
    from trainwright.storage.local_copies import on_this_machine

    above = trace_upstream(store, artifact_ids=[artifact_id], depth=1)
    uris = {
        edge.key: on_this_machine(above.artifacts[edge.artifact_id].uri)
        for edge in reversed(above.edges)
        if above.artifacts[edge.artifact_id].type.name == STATISTICS
    }
    return {key: uri for key, uri in reversed(uris.items()) if STATISTICS in find_types(uri)}


def _source_on_disk(path: str, type_name: str | None) -> PageSource:
    from trainwright.html_views.artifact_files import (
        ANOMALIES,
        FILE_NAMES,
        STATISTICS,
        find_types,
        has_page,
    )

    found = find_types(path)
    if type_name is not None and type_name not in FILE_NAMES and has_page(type_name):
        found = [type_name]  # only its package knows the files
    chosen = [name for name in found if type_name in (None, name)]
    if not chosen:
        files = ", ".join(f"{file_name} ({name})" for name, file_name in FILE_NAMES.items())
        wanted = f" of type {type_name}" if type_name else ""
        raise WrongQuestionError(
            f"{path} holds nothing{wanted} that --html can show. Expected the directory of an "
            f"artifact with one of these files: {files}."
        )
    if len(chosen) > 1:
        raise WrongQuestionError(
            f"{path} holds files of several types; say which with --type {_one_of(chosen)}."
        )
    beside = path if chosen[0] == ANOMALIES and STATISTICS in found else None
    # A file and its directory, of a split or not, are told apart by their own names.
    label = os.path.basename(os.path.abspath(path))
    for suffix in (".pbtxt", ".pb", ".tfrecord"):
        label = label.removesuffix(suffix)
    return PageSource(type_name=chosen[0], uri=path, label=label, statistics_uri=beside)


def _what_run_has(store: MetadataStore, wanted: str) -> str:
    from trainwright.html_views.artifact_files import page_types

    run = find_run_view(store, wanted).run
    records: list[ArtifactRecord] = [
        record for node in run.nodes for group in node.outputs.values() for record in group
    ]
    types = page_types()
    shown = [f"{record.type.name} {record.id}" for record in records if record.type.name in types]
    has = f"It made {', '.join(shown)}: " if shown else "It made no artifact that has one: "
    return (
        f"Run {run.run_id} of {run.pipeline} has no page; artifacts of type "
        f"{_one_of(types)} have. {has}trainwright show ARTIFACT --html."
    )


def _page(source: PageSource) -> str:
    from trainwright.html_views.artifact_page import to_html

    try:
        return to_html(
            source.type_name,
            source.uri,
            title=f"{source.type_name} {source.label}",
            statistics_uri=source.statistics_uri,
            baseline_uri=source.baseline_uri,
        )
    except ValueError as error:
        raise WrongQuestionError(str(error)) from error


def _write_page(source: PageSource, path: str) -> str:
    from trainwright.html_views.artifact_page import check_outside

    try:
        check_outside(path, source.uri)
        Path(path).write_text(_page(source), encoding="utf-8")
    except ValueError as error:
        raise WrongQuestionError(str(error)) from error
    except OSError as error:
        raise WrongQuestionError(
            f"{path} cannot be written: {error.strerror}. Give another file with --html FILE.html."
        ) from error
    return str(Path(path).resolve())


def _one_of(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
