"""HTML of what a notebook shows: nothing of the user's is taken for HTML."""

from __future__ import annotations

import re

import pytest

from tfx import types
from tfx.orchestration.experimental.interactive import notebook_formatters
from tfx.types import standard_artifacts
from trainwright.components import CsvExampleGen, StatisticsGen
from trainwright.notebook.execution_result import ExecutionResult
from trainwright.notebook.formatters import NotebookFormatter, find_formatter


def render(value):
    return find_formatter(value).render(value)


def make_examples(uri="/tmp/123"):
    examples = standard_artifacts.Examples()
    examples.uri = uri
    return examples


def test_artifacts_and_channels_have_their_type_and_place():
    examples = make_examples()
    assert re.search(r"Artifact.*of type.*Examples.*/tmp/123", render(examples))
    channel = types.Channel(type=standard_artifacts.Examples).set_artifacts([examples])
    assert re.search(r"Channel.*of type.*Examples.*\(1 artifact\)", render(channel))
    assert "/tmp/123" in render(channel)


def test_a_result_shows_its_component_with_inputs_and_outputs():
    statistics_gen = StatisticsGen(examples=CsvExampleGen(input_base="d").outputs["examples"])
    shown = render(ExecutionResult(statistics_gen, 7))
    assert "<b>ExecutionResult</b> of StatisticsGen" in shown
    assert "['statistics']" in shown.replace("&#x27;", "'")
    assert ">7<" in shown


def test_what_users_write_is_escaped():
    shown = render(make_examples("/tmp/<script>alert(1)</script>\x1b[31m"))
    assert "<script" not in shown
    assert "\x1b" not in shown
    assert "&lt;script&gt;" in shown


def test_an_id_of_ones_own_is_shown_beside_the_class():
    assert "<b>CsvExampleGen</b> days" in render(CsvExampleGen(input_base="d").with_id("days"))
    assert "<b>CsvExampleGen</b></summary>" in render(CsvExampleGen(input_base="d"))


def test_an_object_that_holds_itself_is_shown_once():
    class Loop:
        def __init__(self):
            self.me = self

    formatter = NotebookFormatter(Loop, ["me"])
    notebook_formatters.FORMATTER_REGISTRY[Loop] = formatter
    try:
        assert formatter.render(Loop()).count("(shown above)") == 1
    finally:
        del notebook_formatters.FORMATTER_REGISTRY[Loop]


def test_an_object_of_another_class_is_refused():
    formatter = notebook_formatters.FORMATTER_REGISTRY[types.Artifact]
    with pytest.raises(ValueError, match=r"Expected object of type .*Artifact.* but got .*object"):
        formatter.render(object())
