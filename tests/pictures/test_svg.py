"""Pictures as SVG: well-formed whatever the names are, and readable without seeing colours."""

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainwright.pictures.dot import to_dot
from trainwright.pictures.picture import LOOKS, Arrow, Box, Picture
from trainwright.pictures.svg import shortened, text_width, to_svg

SVG = "{http://www.w3.org/2000/svg}"

PENGUIN = Picture(
    heading="penguin",
    subheading="run 1, failed",
    boxes=[
        Box(id="examples", title="CsvExampleGen", lines=("cached",), look="cached"),
        Box(id="trainer", title="Trainer", lines=("failed, 4.7 s",), look="failed", hint="a hint"),
    ],
    arrows=[Arrow(source="examples", target="trainer", labels=("examples",), hint="how")],
)

hostile = st.text(max_size=60) | st.sampled_from(
    [
        "<script>alert(1)</script>",
        "]]>",
        "&amp;&#0;",
        '"quoted"',
        "a\nb\tc",
        "\x00\x0b\x1f\ufffe",
        "\ud800",
        "--></svg>",
        "ペンギン" * 20,
        "x" * 5000,
        "",
    ]
)


@settings(max_examples=100, deadline=None)
@given(
    names=st.lists(hostile, min_size=2, max_size=4, unique=True),
    line=hostile,
    label=hostile,
    look=st.sampled_from(LOOKS),
)
def test_any_names_give_well_formed_pictures(names, line, label, look):
    picture = Picture(
        heading=names[0],
        subheading=names[-1],
        boxes=[Box(id=name, title=name, lines=(line,), look=look, hint=line) for name in names],
        arrows=[Arrow(source=names[0], target=names[1], labels=(label,), hint=label)],
    )
    svg = to_svg(picture).encode("utf-8")
    root = ElementTree.fromstring(svg)
    assert {element.tag for element in root.iter()} <= {
        SVG + tag for tag in ("svg", "title", "desc", "style", "rect", "g", "text", "path")
    }
    dot = to_dot(picture)
    assert dot.count("\n") == 5 + len(names) + 1


def test_a_picture_speaks_to_who_does_not_see_it():
    root = ElementTree.fromstring(to_svg(PENGUIN))
    assert root.get("role") == "img"
    assert root.findtext(SVG + "title") == "penguin, run 1, failed"
    description = root.findtext(SVG + "desc")
    assert "CsvExampleGen, cached; Trainer, failed, 4.7 s" in description
    assert "CsvExampleGen to Trainer (examples)" in description


def test_a_picture_shows_its_texts_and_needs_nothing_from_elsewhere():
    svg = to_svg(PENGUIN)
    root = ElementTree.fromstring(svg)
    texts = [element.text for element in root.iter(SVG + "text")]
    assert texts == [
        "penguin",
        "run 1, failed",
        "examples",
        "CsvExampleGen",
        "cached",
        "Trainer",
        "failed, 4.7 s",
    ]
    assert [element.get("class") for element in root.iter(SVG + "g")][-1] == "tw-box tw-failed"
    assert "prefers-color-scheme:dark" in svg
    for forbidden in ("@import", "url(", "href", "<script"):
        assert forbidden not in svg


def test_boxes_are_wide_enough_for_their_titles_and_long_titles_are_cut():
    title = "a_component_with_a_name_that_is_much_too_long_to_be_shown_whole"
    picture = Picture(heading="", boxes=[Box(id="a", title=title, hint=title)])
    root = ElementTree.fromstring(to_svg(picture))
    (box,) = [element for element in root.iter(SVG + "g") if "tw-box" in element.get("class", "")]
    shown = box.findtext(SVG + "text")
    assert len(shown) == 40
    assert "…" in shown
    assert float(box.find(SVG + "rect").get("width")) >= text_width(shown, 14)
    assert box.findtext(SVG + "title") == title


def test_shortened_keeps_both_ends():
    assert shortened("short", 10) == "short"
    assert shortened("abcdefghij", 5) == "ab…ij"
    assert len(shortened("x" * 100, 44)) == 44


def test_dot_is_what_graphviz_reads():
    assert to_dot(PENGUIN) == (
        'digraph "penguin" {\n'
        '  label="penguin\\nrun 1, failed"; labelloc=t; fontname="sans-serif";\n'
        '  node [shape=box, style=rounded, fontname="sans-serif"];\n'
        '  edge [fontname="sans-serif", fontsize=10];\n'
        '  n0 [label="CsvExampleGen\\ncached", color="#3b7dd8"];\n'
        '  n1 [label="Trainer\\nfailed, 4.7 s", color="#cf3a3a"];\n'
        '  n0 -> n1 [label="examples"];\n'
        "}\n"
    )
    assert '\\"a\\\\b\\"' in to_dot(Picture(heading='"a\\b"', boxes=[]))


def test_mistakes_in_a_picture_are_named():
    box = Box(id="a", title="a")
    with pytest.raises(ValueError, match="box 'b', which is not there"):
        Picture(heading="", boxes=[box], arrows=[Arrow(source="a", target="b")])
    with pytest.raises(ValueError, match="ids of boxes must differ"):
        Picture(heading="", boxes=[box, box])
    with pytest.raises(ValueError, match="look must be one of plain, complete"):
        Box(id="a", title="a", look="shiny")
