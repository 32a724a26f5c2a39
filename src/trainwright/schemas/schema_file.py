"""Reading, checking and writing a schema in text form."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from trainwright._paths import check_file

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

SCHEMA_FILE_NAME = "schema.pbtxt"

_MOST_SHOWN = 10


def read_schema(path: str) -> schema_pb2.Schema:
    """Parses a schema file and checks that it hangs together; errors name the file."""
    from google.protobuf import text_format
    from tensorflow_metadata.proto.v0 import schema_pb2

    check_file(path, "The schema file")
    try:
        with open(path, encoding="utf-8") as file:
            schema = text_format.Parse(file.read(), schema_pb2.Schema())
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path!r} is not a schema in text form (schema.pbtxt): {error}."
        ) from error
    except text_format.ParseError as error:
        # Programs of TFX's users catch the parser's error, others what is wrong with a value.
        class SchemaParseError(ValueError, text_format.ParseError):
            pass

        raise SchemaParseError(
            f"{path!r} is not a schema in text form (schema.pbtxt): line {error}"
        ) from error
    _check_schema(schema, path)
    return schema


def _check_schema(schema: schema_pb2.Schema, path: str) -> None:
    if not schema.feature:
        raise ValueError(
            f"The schema {path!r} has no features. Expected at least one: let SchemaGen infer them "
            "from statistics, or write them into the file."
        )
    counts = Counter(feature.name for feature in schema.feature)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise ValueError(f"The schema {path!r} has more than one feature named {twice}.")
    domains = {domain.name for domain in schema.string_domain}
    for feature in schema.feature:
        if not feature.name:
            raise ValueError(f"The schema {path!r} has a feature without a name.")
        if feature.domain and feature.domain not in domains:
            raise ValueError(
                f"Feature {feature.name!r} in {path!r} has the domain {feature.domain!r}, which "
                f"is not one of its string_domains {sorted(domains)}."
            )
    _check_bounds(schema, path)


def _check_bounds(schema: schema_pb2.Schema, path: str) -> None:
    from trainwright.schemas.contradictions import find_contradictions

    found = find_contradictions(schema)
    if not found:
        return
    shown = "".join(f"\n- {problem}" for problem in found[:_MOST_SHOWN])
    more = f"\nand {len(found) - _MOST_SHOWN} more." if len(found) > _MOST_SHOWN else ""
    raise ValueError(
        f"The schema {path!r} asks for what no data can be. Correct it, or leave out what should "
        f"not be checked:{shown}{more}"
    )


def write_schema(path: str, schema: schema_pb2.Schema) -> None:
    """Writes a schema in text form; letters of all scripts stay readable."""
    from google.protobuf import text_format

    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text_format.MessageToString(schema, as_utf8=True))
