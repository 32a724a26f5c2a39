"""Visualizations: what shows the artifacts of a type in a notebook, found by the type's name."""

from __future__ import annotations

import abc
from typing import Any, ClassVar

from trainwright._markup import Markup, escape, html
from trainwright.html_views.artifact_files import has_page
from trainwright.html_views.artifact_page import to_html
from trainwright.storage.local_copies import on_this_machine
from trainwright.types import standard_artifacts
from trainwright.types.artifact import Artifact
from trainwright.types.classes import is_subclass

PAGE_HEIGHT = 640


class ArtifactVisualization(abc.ABC):
    """Shows artifacts of one type.

    Example:

        class ModelVisualization(ArtifactVisualization):
            ARTIFACT_TYPE = standard_artifacts.Model

            def display(self, artifact):
                print(artifact.uri)

        get_registry().register(ModelVisualization)
    """

    ARTIFACT_TYPE: ClassVar[type[Artifact]]

    @abc.abstractmethod
    def display(self, artifact: Artifact) -> Any:
        """Shows an artifact in the current cell."""


class ArtifactVisualizationRegistry:
    """The visualizations by the name of the type that they show; the last one registered counts."""

    def __init__(self) -> None:
        self.visualizations: dict[str, ArtifactVisualization] = {}

    def register(self, visualization_class: type[ArtifactVisualization]) -> None:
        """Adds a class, which is made without arguments."""
        artifact_type: Any = getattr(visualization_class, "ARTIFACT_TYPE", None)
        is_type = is_subclass(artifact_type, Artifact)
        if not is_type or artifact_type.TYPE_NAME is None:
            raise TypeError(
                f"{visualization_class.__name__}.ARTIFACT_TYPE is {artifact_type!r}; expected a "
                "subclass of Artifact with a TYPE_NAME."
            )
        self.visualizations[artifact_type.TYPE_NAME] = visualization_class()

    def get_visualization(self, artifact_type_name: str) -> ArtifactVisualization | None:
        """What shows the type of this name, if anything does."""
        return self.visualizations.get(artifact_type_name)


_REGISTRY = ArtifactVisualizationRegistry()


def get_registry() -> ArtifactVisualizationRegistry:
    """The registry of this process."""
    return _REGISTRY


class _PageVisualization(ArtifactVisualization):
    """Shows the page that `trainwright show ARTIFACT --html` writes."""

    def display(self, artifact: Artifact) -> None:
        show_page(to_html(artifact.type_name, on_this_machine(artifact.uri)))


class ExampleAnomaliesVisualization(_PageVisualization):
    """Shows what an ExampleValidator found."""

    ARTIFACT_TYPE = standard_artifacts.ExampleAnomalies


class ExampleStatisticsVisualization(_PageVisualization):
    """Shows the statistics of examples."""

    ARTIFACT_TYPE = standard_artifacts.ExampleStatistics


class ModelEvaluationVisualization(_PageVisualization):
    """Shows the metrics that an Evaluator computed."""

    ARTIFACT_TYPE = standard_artifacts.ModelEvaluation


class SchemaVisualization(_PageVisualization):
    """Shows a schema."""

    ARTIFACT_TYPE = standard_artifacts.Schema


STANDARD_VISUALIZATIONS = frozenset(
    {
        ExampleAnomaliesVisualization,
        ExampleStatisticsVisualization,
        ModelEvaluationVisualization,
        SchemaVisualization,
    }
)


def register_standard_visualizations() -> None:
    """Lets statistics, schemas, anomalies and evaluations be shown."""
    for visualization in STANDARD_VISUALIZATIONS:
        get_registry().register(visualization)


def show_artifact(artifact: Artifact) -> None:
    """Shows an artifact in the current cell, if its type has a visualization or a page.

    A page that is not one of the standard visualizations is that of an installed package.
    """
    visualization = get_registry().get_visualization(artifact.type_name)
    if visualization is not None:
        visualization.display(artifact)
    elif has_page(artifact.type_name):
        show_page(to_html(artifact.type_name, on_this_machine(artifact.uri)))


def show_page(page: str) -> None:
    """Shows a whole HTML page in the current cell.

    The page is in a frame that may run its own scripts and reach nothing of the notebook around it.
    """
    # IPython warns of HTML that begins with a frame.
    display_html(
        html(
            '<div><iframe srcdoc="{}" sandbox="allow-scripts" '
            'style="width: 100%; height: {}px; resize: vertical; border: 0; background: white">'
            "</iframe></div>",
            escape(page),  # in an attribute even markup is text
            PAGE_HEIGHT,
        )
    )


def display_html(shown: Markup) -> None:
    """Shows HTML in the current cell.

    Raises:
        RuntimeError: if there is no IPython.
    """
    try:
        from IPython.display import HTML, display
    except ModuleNotFoundError:
        raise RuntimeError(
            "Showing an artifact needs a notebook (pip install ipython); "
            "`trainwright show ARTIFACT --html` writes the same page to a file."
        ) from None
    display(HTML(shown))  # type: ignore[no-untyped-call]
