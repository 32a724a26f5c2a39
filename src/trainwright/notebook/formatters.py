"""HTML of components, channels, artifacts and results, as cells of a notebook show them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from trainwright._ipython import is_in_ipython
from trainwright._printable import printable
from trainwright.dsl.base_node import BaseNode
from trainwright.notebook.execution_result import ExecutionResult
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel, Channel

Attribute = str | Callable[[Any], Any]
TitleFormat = tuple[str, Sequence[Attribute]]

_BOX = "border-left: 2px solid #ccc; margin: 2px 0; padding-left: 8px"
_NAME = 'style="text-align: left; vertical-align: top; font-weight: bold"'
_VALUE = 'style="text-align: left; vertical-align: top"'


class NotebookFormatter:
    """Shows objects of a class as a title, behind which their attributes can be unfolded.

    Args:
        cls: The class; objects of its subclasses are shown in the same way.
        attributes: Which attributes are shown. `a.b` is the attribute `b` of the attribute `a`.
        title_format: A format string in the style of `%`, and what is put into it: attributes, or
            functions of the object. By default the name of the class.
        _show_artifact_attributes: Whether the properties that the type of an artifact declares are
            shown as well.

    Example:
        ```python
        formatter = NotebookFormatter(Artifact, attributes=["uri"])
        IPython.display.HTML(formatter.render(artifact))
        ```
    """

    def __init__(
        self,
        cls: type[Any],
        attributes: list[str] | None = None,
        title_format: TitleFormat | None = None,
        _show_artifact_attributes: bool | None = False,
    ) -> None:
        self.cls = cls
        self.attributes = attributes or []
        self.title_format = title_format or ("<b>%s</b>", ["__class__.__name__"])
        self._show_artifact_attributes = _show_artifact_attributes

    def render(self, obj: Any, expanded: bool = True, seen_elements: set[Any] | None = None) -> str:
        """An object as HTML.

        Args:
            obj: The object.
            expanded: Whether its attributes are unfolded.
            seen_elements: The ids of the objects that it is a part of, which are not shown again.

        Raises:
            ValueError: if the object is of another class.
        """
        if not isinstance(obj, self.cls):
            raise ValueError(f"Expected object of type {self.cls} but got {obj}.")
        seen = set(seen_elements or ())
        if id(obj) in seen:
            return "(shown above)"
        seen.add(id(obj))
        return (
            f'<details{" open" if expanded else ""} style="{_BOX}">'
            f"<summary>{self.render_title(obj)}</summary>"
            f"{self.render_attributes(obj, seen)}</details>"
        )

    def render_title(self, obj: object) -> str:
        """The line that is always there."""
        template, attributes = self.title_format
        return template % tuple(_escaped(_attribute(obj, one)) for one in attributes)

    def render_value(self, value: Any, seen_elements: set[Any]) -> str:
        """The value of an attribute, or a part of it."""
        if isinstance(value, Mapping):
            return self.render_dict(value, seen_elements)
        if isinstance(value, list):
            return self.render_list(value, seen_elements)
        formatter = find_formatter(value)
        if formatter is None:
            return str(_escaped(value))
        return formatter.render(value, expanded=False, seen_elements=seen_elements)

    def render_attributes(self, obj: Any, seen_elements: set[Any]) -> str:
        """A table of the attributes."""
        names = list(self.attributes)
        if self._show_artifact_attributes and isinstance(obj, Artifact):
            names += sorted(name for name in obj.PROPERTIES or {} if name not in names)
        rows = [
            (f".{name}", self.render_value(_attribute(obj, name), seen_elements)) for name in names
        ]
        return _table(rows)

    def render_dict(self, obj: Mapping[Any, Any], seen_elements: set[Any]) -> str:
        """A table of keys and values."""
        if not obj:
            return "{}"
        return _table((f"[{key!r}]", self.render_value(obj[key], seen_elements)) for key in obj)

    def render_list(self, obj: list[Any], seen_elements: set[Any]) -> str:
        """A table of the elements and their places."""
        if not obj:
            return "[]"
        return _table(
            (f"[{place}]", self.render_value(value, seen_elements))
            for place, value in enumerate(obj)
        )


def _attribute(obj: Any, attribute: Attribute) -> Any:
    getter = operator.attrgetter(attribute) if isinstance(attribute, str) else attribute
    return getter(obj)


def _escaped(value: Any) -> Any:
    """A value as HTML text; numbers stay numbers, for a title's `%d`."""
    return value if isinstance(value, int) else escape(printable(str(value)))


def _table(rows: Iterable[tuple[str, str]]) -> str:
    cells = (
        f"<tr><td {_NAME}>{_escaped(name)}</td><td {_VALUE}>{value}</td></tr>"
        for name, value in rows
    )
    return f"<table>{''.join(cells)}</table>"


def _artifacts(channel: BaseChannel) -> list[Artifact]:
    return channel.get() if isinstance(channel, Channel) else []


def _plural(channel: BaseChannel) -> str:
    return "" if len(_artifacts(channel)) == 1 else "s"


def _own_id(node: BaseNode) -> str:
    return "" if node.id == type(node).__name__ else f" {node.id}"


class _ChannelFormatter(NotebookFormatter):
    """A channel with the artifacts that it holds."""

    def render_attributes(self, obj: Any, seen_elements: set[Any]) -> str:
        artifacts = self.render_list(_artifacts(obj), seen_elements)
        return _table([(".type_name", _escaped(obj.type_name)), (".get()", artifacts)])


_FORMATTERS = (
    NotebookFormatter(
        Artifact,
        ["uri", "custom_properties"],
        ("<b>Artifact</b> of type <b>'%s'</b> (uri: %s)", ["type_name", "uri"]),
        _show_artifact_attributes=True,
    ),
    NotebookFormatter(
        BaseNode,
        ["inputs", "outputs", "exec_properties"],
        ("<b>%s</b>%s", ["__class__.__name__", _own_id]),
    ),
    _ChannelFormatter(
        BaseChannel,
        title_format=(
            "<b>Channel</b> of type <b>'%s'</b> (%d artifact%s)",
            ["type_name", lambda channel: len(_artifacts(channel)), _plural],
        ),
    ),
    NotebookFormatter(
        ExecutionResult,
        ["execution_id", "component", "component.inputs", "component.outputs"],
        ("<b>ExecutionResult</b> of %s", ["component.id"]),
    ),
)
# What shows the objects of a class and its subclasses.
FORMATTER_REGISTRY: dict[type, NotebookFormatter] = {one.cls: one for one in _FORMATTERS}


def find_formatter(value: Any) -> NotebookFormatter | None:
    """What shows a value, by its class or the nearest base of it; None if nothing does."""
    found = (FORMATTER_REGISTRY.get(cls) for cls in type(value).__mro__)
    return next(filter(None, found), None)


def register_formatters() -> None:
    """Lets IPython show components, channels, artifacts and results; elsewhere nothing happens."""
    if not is_in_ipython():
        return
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None:
        return
    html_formatter = shell.display_formatter.formatters["text/html"]
    for cls, formatter in FORMATTER_REGISTRY.items():
        html_formatter.for_type(cls, formatter.render)
