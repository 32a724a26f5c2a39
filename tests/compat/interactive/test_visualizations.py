"""Artifacts shown in the cells of a notebook."""

from __future__ import annotations

import pytest

from tfx.orchestration.experimental.interactive import standard_visualizations, visualizations
from tfx.types import standard_artifacts
from trainwright.notebook.visualizations import ArtifactVisualizationRegistry

SCHEMA = 'feature { name: "body_mass" type: FLOAT presence { min_fraction: 1 } }'


@pytest.fixture
def shown(monkeypatch):
    """What was displayed, as HTML."""
    from IPython import display

    pages: list[str] = []
    monkeypatch.setattr(display, "display", lambda page: pages.append(page.data))
    return pages


def test_a_schema_is_shown_as_in_the_tutorial(tmp_path, shown):
    (tmp_path / "schema.pbtxt").write_text(SCHEMA)
    artifact = standard_artifacts.Schema()
    artifact.uri = str(tmp_path)
    standard_visualizations.register_standard_visualizations()
    found = visualizations.get_registry().get_visualization(artifact.type_name)
    found.display(artifact)
    (page,) = shown
    assert "body_mass" in page
    assert 'sandbox="allow-scripts"' in page
    assert page.count("<html") == 0, "the page must not be part of the notebook's own document"


def test_types_without_a_visualization_have_none():
    assert visualizations.get_registry().get_visualization("Model") is None


def test_a_visualization_of_ones_own_replaces_the_standard_one():
    class Mine(visualizations.ArtifactVisualization):
        ARTIFACT_TYPE = standard_artifacts.Schema

        def display(self, artifact):
            return "mine"

    registry = ArtifactVisualizationRegistry()
    registry.register(standard_visualizations.SchemaVisualization)
    registry.register(Mine)
    assert registry.get_visualization("Schema").display(standard_artifacts.Schema()) == "mine"


def test_a_class_without_an_artifact_type_is_refused():
    class Nothing(visualizations.ArtifactVisualization):
        def display(self, artifact):
            return None

    with pytest.raises(TypeError, match="Nothing.ARTIFACT_TYPE is None; expected a subclass"):
        ArtifactVisualizationRegistry().register(Nothing)


def test_what_was_not_run_says_so(monkeypatch, tmp_path):
    from trainwright.components import CsvExampleGen
    from trainwright.notebook import notebook as module

    pages = []
    monkeypatch.setattr(module, "display_html", pages.append)
    node = CsvExampleGen(input_base=str(tmp_path)).with_id("<i>Gen")
    module.Notebook("penguin", str(tmp_path)).show(node.outputs["examples"])
    assert pages == [
        "<i>Nothing to show: &lt;i&gt;Gen has not been run in this notebook, or made nothing.</i>"
    ]
