"""Markup: text is escaped wherever it meets HTML, and only templates are taken as they are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import trainwright
from trainwright._markup import Markup, escape, html, join

SOURCES = Path(trainwright.__file__).parent
# Style sheets and scripts of ours, which entities would spoil; titles that a program gives as HTML;
# whole pages that an installed package makes.
TAKES_AS_IS = {
    "html_views/artifact_page.py",
    "html_views/page.py",
    "notebook/formatters.py",
    "pictures/svg.py",
}


def test_text_is_escaped_and_markup_is_not():
    assert html("<td>{}</td>", "<b>") == "<td>&lt;b&gt;</td>"
    assert html("<td>{}</td>", html("<b>{}</b>", 'a "b"')) == "<td><b>a &quot;b&quot;</b></td>"
    assert html('<i style="{}">{}</i>', 3, 0.5) == '<i style="3">0.5</i>'
    assert join([html("<b>1</b>"), escape("2 < 3")], " & ") == "<b>1</b> &amp; 2 &lt; 3"
    assert isinstance(html("<b>") + html("</b>"), Markup)


def test_what_str_makes_of_markup_is_text_again():
    assert html("{}", html("<b>").upper()) == "&lt;B&gt;"


def _calls(name: str):
    for path in sorted(SOURCES.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "trainwright._markup import" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if is_call and node.func.id == name:
                yield f"{path.relative_to(SOURCES)}:{node.lineno}", node


def test_templates_are_literals():
    # An f-string would put text into the template before it can be escaped.
    calls = list(_calls("html"))
    assert len(calls) > 200
    assert [
        place
        for place, call in calls
        if not (isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str))
    ] == []


def test_only_templates_become_markup_unescaped():
    places = {place.split(":")[0] for place, _ in _calls("Markup")}
    assert places == TAKES_AS_IS


@pytest.mark.parametrize("template", ["<td>{}</td>", '<td title="{}"></td>'])
def test_nothing_can_close_what_it_stands_in(template):
    before, after = template.split("{}")
    inside = html(template, "\"'></td><script>").removeprefix(before).removesuffix(after)
    assert not set(inside) & set("<>\"'")
