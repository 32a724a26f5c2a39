"""The values that a schema allows for a feature."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainwright._markup import EMPTY, Markup, escape, html, join
from trainwright.html_views.numbers import counted
from trainwright.html_views.schema_words import range_words
from trainwright.html_views.text import value

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

MOST_SHOWN = 5

_LONGEST_VALUE, _LONGEST_FULL_VALUE = 24, 120


@dataclass(frozen=True, kw_only=True)
class TextDomain:
    """A list of strings that is written out below the table.

    Args:
        name: What it is called: its own name, or that of the only feature with it.
        values: All of them.
        used_by: The features that take their values from it.
    """

    name: str
    values: Sequence[str]
    used_by: Sequence[str]


def text_domains(
    schema: schema_pb2.Schema, features: Sequence[tuple[str, schema_pb2.Feature]]
) -> dict[str, TextDomain]:
    """All lists of strings by the key that `domain_key` gives for a feature with one."""
    users = defaultdict(list)
    for path, feature in features:
        users[feature.domain].append(path)
    domains = {
        f"schema:{domain.name}": TextDomain(
            name=domain.name, values=domain.value, used_by=users[domain.name]
        )
        for domain in schema.string_domain
    }
    for path, feature in features:
        if feature.WhichOneof("domain_info") == "string_domain":
            domains[f"feature:{path}"] = TextDomain(
                name=path, values=feature.string_domain.value, used_by=[path]
            )
    return domains


def domain_key(path: str, feature: schema_pb2.Feature) -> str:
    """Names the list of strings of a feature, if it has one."""
    is_own = feature.WhichOneof("domain_info") == "string_domain"
    return f"feature:{path}" if is_own else f"schema:{feature.domain}"


def domain_markup(
    schema: schema_pb2.Schema, feature: schema_pb2.Feature, texts: TextDomain | None, anchor: str
) -> Markup:
    """A feature's domain in a cell: the first strings and a link to all, or words."""
    if texts is not None:
        values = texts.values[:MOST_SHOWN]
        shown = join((value(text, _LONGEST_VALUE) for text in values), ", ")
        if len(texts.values) <= MOST_SHOWN:
            return shown or html("no values")
        return html(
            '{}, … <a href="#{}">{}</a>', shown, anchor, counted(len(texts.values), "value")
        )
    which = feature.WhichOneof("domain_info")
    if which == "domain":
        return _named_domain(schema, feature.domain)
    if which in ("int_domain", "float_domain"):
        return escape(_number_domain(getattr(feature, which)))
    if which == "bool_domain":
        words = (feature.bool_domain.true_value, feature.bool_domain.false_value)
        if not any(words):
            return html("true or false")
        return html("{} or {}", value(words[0]), value(words[1]))
    if which is None or which == "struct_domain":
        return EMPTY
    return escape(str(which).removesuffix("_domain").replace("_", " "))


def domain_list(domain: TextDomain, anchor: str, most_open: int = 100) -> Markup:
    """A domain in full, folded if it is long."""
    items = join(html("<li>{}</li>", value(text, _LONGEST_FULL_VALUE)) for text in domain.values)
    is_open = " open" if len(domain.values) <= most_open else ""
    others = [value(name) for name in domain.used_by if name != domain.name]
    users = html(' <span class="muted">for {}</span>', join(others, ", ")) if others else ""
    unused = "" if domain.used_by else html(' <span class="muted">not used by any feature</span>')
    return html(
        '<details id="{}"{}><summary><b>{}</b> <small>{}</small>{}{}</summary><ul '
        'class="domain">{}</ul></details>',
        anchor,
        is_open,
        value(domain.name),
        counted(len(domain.values), "value"),
        users,
        unused,
        items,
    )


def _named_domain(schema: schema_pb2.Schema, name: str) -> Markup:
    for domain in (*schema.int_domain, *schema.float_domain):
        if domain.name == name:
            return html("{}: {}", value(name), _number_domain(domain))
    return html("{}, which the schema does not have", value(name))


def _number_domain(domain: schema_pb2.IntDomain | schema_pb2.FloatDomain) -> str:
    low = domain.min if domain.HasField("min") else None
    high = domain.max if domain.HasField("max") else None
    words = [range_words(low, high)]
    words += ["categories"] if getattr(domain, "is_categorical", False) else []
    words += ["no NaN"] if getattr(domain, "disallow_nan", False) else []
    words += ["no infinity"] if getattr(domain, "disallow_inf", False) else []
    return ", ".join(words)
