"""The page of a schema: what every feature must be, and the domains in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from trainwright._markup import Markup, escape, html, join
from trainwright.html_views.numbers import NOTHING, counted
from trainwright.html_views.page import filter_controls, page
from trainwright.html_views.schema_domains import (
    TextDomain,
    domain_key,
    domain_list,
    domain_markup,
    text_domains,
)
from trainwright.html_views.schema_words import (
    comparator_words,
    environment_words,
    is_required,
    presence_words,
    type_words,
    valency_words,
)
from trainwright.html_views.text import hint, markup, value, visible

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

_LONGEST_NAME = 80
_NO_DOMAIN = html('<span class="muted">{}</span>', NOTHING)
_STAGES = {1: "planned", 2: "alpha", 3: "beta", 5: "deprecated", 6: "debug only", 7: "disabled"}


def schema_page(schema: schema_pb2.Schema, *, title: str = "Schema", subtitle: str = "") -> Markup:
    """One HTML file with the features of a schema as a table.

    Args:
        schema: The schema.
        title: The heading of the page, as text.
        subtitle: A line below it, for example where the schema is.

    Example: `Path("schema.html").write_text(schema_page(schema))`
    """
    features = list(_flat(schema.feature))
    domains = text_domains(schema, features)
    anchors = {key: f"domain-{index}" for index, key in enumerate(domains)}
    parts = [
        _overview(schema, features),
        *([filter_controls(with_warnings=False, with_order=False)] if len(features) > 1 else []),
        *_table(schema, features, domains, anchors),
        *_combined_features(schema),
        *_domains(domains, anchors),
    ]
    return page(title, subtitle, parts)


def _flat(
    features: Sequence[schema_pb2.Feature], parents: tuple[str, ...] = ()
) -> Iterator[tuple[str, schema_pb2.Feature]]:
    """All features with their paths, those of a structure right behind it."""
    for feature in features:
        steps = (*parents, feature.name)
        yield ".".join(steps), feature
        if feature.WhichOneof("domain_info") == "struct_domain":
            yield from _flat(feature.struct_domain.feature, steps)


def _overview(
    schema: schema_pb2.Schema, features: Sequence[tuple[str, schema_pb2.Feature]]
) -> Markup:
    if not features:
        return html("<p>The schema has no features.</p>")
    required = sum(is_required(feature) for _, feature in features)
    words = html("{}, {} of them required.", counted(len(features), "feature"), required)
    if schema.default_environment:
        names = join(map(markup, schema.default_environment), ", ")
        words += html(" Environments: {}.", names)
    return html("<p>{}</p>", words)


def _table(
    schema: schema_pb2.Schema,
    features: Sequence[tuple[str, schema_pb2.Feature]],
    domains: dict[str, TextDomain],
    anchors: dict[str, str],
) -> Iterator[Markup]:
    if not features:
        return
    has_checks = any(comparator_words(feature) for _, feature in features)
    has_environments = any(environment_words(schema, feature) for _, feature in features)
    headings = ["type", "presence", "values", "domain"]
    headings += ["environments"] if has_environments else []
    headings += ["checks"] if has_checks else []
    heads = join(html('<th scope="col">{}</th>', heading) for heading in headings)
    yield html("<section><h2>Features</h2>")
    yield html('<table><thead><tr><th scope="col" class="name">feature</th>{}</tr></thead>', heads)
    for path, feature in features:
        key = domain_key(path, feature)
        domain = domain_markup(schema, feature, domains.get(key), anchors.get(key, ""))
        cells = [
            _cell(type_words(feature)),
            _presence_cell(feature),
            _cell(valency_words(feature)),
            html('<td class="what">{}</td>', domain or _NO_DOMAIN),
        ]
        if has_environments:
            cells.append(_cell(markup(environment_words(schema, feature))))
        if has_checks:
            lines = join(map(escape, comparator_words(feature)), html("<br>"))
            cells.append(html('<td class="what">{}</td>', lines))
        yield html(
            '<tbody class="feature"><tr>{}{}</tr></tbody>', _name(path, feature), join(cells)
        )
    yield html("</table></section>")


def _cell(words: str) -> Markup:
    return html("<td>{}</td>", words)


def _presence_cell(feature: schema_pb2.Feature) -> Markup:
    words = presence_words(feature)
    return _cell(words if is_required(feature) else html('<span class="muted">{}</span>', words))


def _name(path: str, feature: schema_pb2.Feature) -> Markup:
    is_long = len(path) > _LONGEST_NAME
    title = html(' title="{}"', markup(hint(path))) if is_long else ""
    shown = markup(visible(path[:_LONGEST_NAME]) + ("…" if is_long else ""))
    stage = "deprecated" if feature.deprecated else _STAGES.get(feature.lifecycle_stage, "")
    note = html("<small>{}</small>", stage) if stage else ""
    return html(
        '<th scope="row" class="name"><b{}>{}</b>{}</th>', title, shown or "(no name)", note
    )


def _combined_features(schema: schema_pb2.Schema) -> Iterator[Markup]:
    """Sparse and weighted features, which are made of others."""
    rows = [
        (feature.name, "sparse", [*_indices(feature), f"values {feature.value_feature.name}"])
        for feature in schema.sparse_feature
    ]
    rows += [
        (
            feature.name,
            "weighted",
            [f"feature {'.'.join(feature.feature.step)}"]
            + [f"weights {'.'.join(feature.weight_feature.step)}"],
        )
        for feature in schema.weighted_feature
    ]
    if not rows:
        return
    yield html("<section><h2>Features made of others</h2><table><thead><tr>")
    yield html('<th scope="col" class="name">feature</th><th scope="col">kind</th>')
    yield html('<th scope="col">made of</th></tr></thead><tbody>')
    for name, kind, parts in rows:
        words = join((value(part) for part in parts), ", ")
        yield html('<tr><th scope="row" class="name">{}</th>', value(name, _LONGEST_NAME))
        yield html("<td>{}</td><td>{}</td></tr>", kind, words)
    yield html("</tbody></table></section>")


def _indices(feature: schema_pb2.SparseFeature) -> list[str]:
    return [f"index {index.name}" for index in feature.index_feature]


def _domains(domains: dict[str, TextDomain], anchors: dict[str, str]) -> Iterator[Markup]:
    if domains:
        yield html("<section><h2>Domains of strings</h2>")
        for key, domain in sorted(domains.items(), key=lambda item: item[1].name):
            yield domain_list(domain, anchors[key])
        yield html("</section>")
