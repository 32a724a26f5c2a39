"""`trainwright schema`: look at schemas, infer and compare them, and take one out of a pipeline."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from trainwright.cli import exit_codes
from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import echo, json_option, print_json, print_table
from trainwright.cli.schema_source import find_schema, read_schema_file
from trainwright.cli.store_option import store_option

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

    from trainwright.schemas.differences import Difference

_SIGNS = {"added": "+", "removed": "-", "changed": "~"}

output_option = click.option(
    "-o", "--output", required=True, metavar="FILE", help="Where to write the schema."
)
force_option = click.option(
    "--force", is_flag=True, help="Overwrite a file that holds another schema."
)


@click.group()
def schema() -> None:
    """Show, infer, compare and freeze schemas.

    \b
    trainwright schema show schema/schema.pbtxt
    trainwright schema freeze latest -o schema/schema.pbtxt
    trainwright schema diff schema/schema.pbtxt latest

    A SCHEMA is a file in text form, the directory of an artifact, an artifact's id, a run's id, or
    `latest`: the schema that the newest run inferred.
    """


@schema.command()
@click.argument("wanted", metavar="SCHEMA", default="latest")
@store_option
@json_option
def show(wanted: str, store: str | None, as_json: bool) -> None:
    """Show the features of SCHEMA: their types, presence, numbers of values and domains."""
    found = find_schema(wanted, store)
    rows = _feature_rows(found.schema)
    if as_json:
        print_json({"source": found.source, "file": found.path, "features": rows})
        return
    echo(f"{found.source}, {len(rows)} features\n")
    columns = ("feature", "type", "presence", "values", "domain")
    print_table(
        [column.upper() for column in columns],
        [[row[column] for column in columns] for row in rows],
        wrap_last=True,
    )
    if found.schema.default_environment:
        echo(f"\nenvironments: {', '.join(found.schema.default_environment)}")


def _feature_rows(schema: schema_pb2.Schema) -> list[dict[str, str]]:
    from trainwright.schemas import feature_words
    from trainwright.schemas.feature_paths import path_text
    from trainwright.schemas.schema_index import SchemaIndex

    index = SchemaIndex(schema)
    return [
        {
            "feature": path_text(path),
            "type": feature_words.describe_type(feature),
            "presence": feature_words.describe_presence(feature),
            "values": feature_words.describe_valency(feature),
            "domain": feature_words.describe_domain(feature, index),
        }
        for path, feature in index.features()
    ]


@schema.command()
@click.argument("statistics", nargs=-1, required=True, metavar="STATISTICS...")
@output_option
@click.option("--shapes/--no-shapes", default=True, help="Whether to infer shapes.")
@click.option(
    "--largest-domain",
    default=100,
    show_default=True,
    type=click.IntRange(min=1),
    help="Up to how many values a string feature has a domain.",
)
@force_option
@json_option
def infer(
    statistics: Sequence[str],
    output: str,
    shapes: bool,
    largest_domain: int,
    force: bool,
    as_json: bool,
) -> None:
    """Infer a schema from STATISTICS, files FeatureStats.pb or directories of splits.

    The schema is inferred from the first and fitted to the others, as SchemaGen does it.
    """
    from google.protobuf import text_format

    inferred = _infer(statistics, shapes, largest_domain)
    text: str = text_format.MessageToString(inferred, as_utf8=True)
    _write(output, inferred, text.encode("utf-8"), force, as_json)


def _infer(paths: Sequence[str], shapes: bool, largest_domain: int) -> schema_pb2.Schema:
    from trainwright.schemas.inference import infer_schema, update_schema
    from trainwright.schemas.statistics_file import read_statistics

    try:
        first, *others = [read_statistics(path) for path in paths]
        inferred = infer_schema(first, shapes, largest_domain)
        for other in others:
            inferred = update_schema(inferred, other, largest_domain)
    except ValueError as error:
        raise WrongQuestionError(str(error)) from error
    if not inferred.feature:
        raise WrongQuestionError(f"No schema can be inferred: {paths[0]!r} knows no features.")
    return inferred


@schema.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@store_option
@json_option
def diff(old: str, new: str, store: str | None, as_json: bool) -> None:
    """Say what NEW adds to OLD, removes from it and changes in it; both are SCHEMAs.

    Exit code: 0 if they say the same, 1 if they differ. The order of features, domains and values
    says nothing and is not compared.
    """
    differences = _diff(find_schema(old, store).schema, find_schema(new, store).schema)
    if as_json:
        print_json({"differences": differences})
    elif differences:
        _print_differences(differences)
    else:
        echo("The schemas say the same.")
    if differences:
        click.get_current_context().exit(exit_codes.FAILED)


def _diff(old: schema_pb2.Schema, new: schema_pb2.Schema) -> list[Difference]:
    from trainwright.schemas.differences import diff_schemas

    return diff_schemas(old, new)


def _print_differences(differences: Sequence[Difference]) -> None:
    for difference in differences:
        echo(f"{_SIGNS[difference.kind]} {difference.name} {difference.kind}: {difference.text}")


@schema.command()
@click.argument("wanted", metavar="ARTIFACT|RUN", default="latest")
@output_option
@force_option
@store_option
@json_option
def freeze(wanted: str, output: str, force: bool, store: str | None, as_json: bool) -> None:
    """Copy the schema that a run inferred out of the pipeline, to be reviewed and committed.

    A file that holds another schema is left alone, because somebody may have changed it: the
    differences are shown, and --force overwrites it. ImportSchemaGen brings the file back into
    pipelines.
    """
    found = find_schema(wanted, store)
    if os.path.abspath(found.path) == os.path.abspath(output):
        raise WrongQuestionError(f"{output!r} is the file of that schema itself.")
    with open(found.path, "rb") as file:
        _write(output, found.schema, file.read(), force, as_json)


def _write(
    output: str, written: schema_pb2.Schema, content: bytes, force: bool, as_json: bool
) -> None:
    """Writes a schema's file, unless that would lose what somebody wrote."""
    state, differences = _compare_with_file(output, written, force)
    if state == "unchanged":
        _report(output, state, [], as_json)
        return
    if state == "kept":
        _report(output, state, differences, as_json)
        raise WrongQuestionError(
            f"{output!r} holds another schema, which may have been changed by hand; it was not "
            "overwritten. Take over what you want from the differences, or use --force."
        )
    aside = f"{output}.new"
    try:
        os.makedirs(os.path.dirname(os.path.abspath(output)), exist_ok=True)
        with open(aside, "wb") as file:
            file.write(content)
        os.replace(aside, output)
    except OSError as error:
        raise WrongQuestionError(f"{output!r} cannot be written: {error.strerror}.") from error
    _report(output, state, differences, as_json)


def _compare_with_file(
    path: str, wanted: schema_pb2.Schema, force: bool
) -> tuple[str, list[Difference]]:
    """What is to become of a file, and the differences between its schema and the wanted one."""
    if not os.path.exists(path):
        return "written", []
    try:
        differences = _diff(read_schema_file(path), wanted)
    except WrongQuestionError:
        if not force:
            raise
        return "overwritten", []
    if not differences:
        return "unchanged", []
    return "overwritten" if force else "kept", differences


def _report(output: str, state: str, differences: Sequence[Difference], as_json: bool) -> None:
    if as_json:
        print_json({"file": output, "state": state, "differences": differences})
        return
    _print_differences(differences)
    words = {
        "written": f"Wrote {output}. Review it and keep it with the code.",
        "overwritten": f"Overwrote {output}; the differences are above.",
        "unchanged": f"{output} says the same already; it was left as it is.",
        "kept": "",
    }
    if words[state]:
        echo(words[state])
