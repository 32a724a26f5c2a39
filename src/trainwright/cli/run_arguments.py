"""Runs and nodes as commands are given them, and a run as the document of `--json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import to_plain

if TYPE_CHECKING:
    from trainwright.history.run_history import NodeHistory
    from trainwright.history.run_view import RunView
    from trainwright.metadata.store import MetadataStore


def run_document(view: RunView) -> dict[str, Any]:
    """A run as JSON: the history's own fields, and what is only known to the view."""
    document: dict[str, Any] = to_plain(view.run)
    document["seconds"] = view.seconds
    document["nodes"] = [node_document(view, node) for node in view.run.nodes]
    return document


def node_document(view: RunView, node: NodeHistory) -> dict[str, Any]:
    facts = to_plain(node)
    del facts["skip_reason"]  # it is the reason
    return {
        **facts,
        "state": node.state,
        "seconds": view.node_seconds(node),
        "reason": view.reason(node) or None,
        "reused_execution_id": view.reused_execution(node),
        "log": view.log_path(node),
        "pages": view.pages(node),
    }


def order_run_and_node(store: MetadataStore, first: str, second: str) -> tuple[str, str]:
    """A run and a node of it that were given in either order; the run comes first in doubt."""
    if _names_run(store, first):
        return first, second
    if _names_run(store, second):
        return second, first
    run_id, nodes = _latest_nodes(store)
    if first in nodes and second in nodes:
        raise WrongQuestionError(
            f"{first} and {second} are both nodes: name one of them, and beside it only the RUN if "
            "it is not the latest."
        )
    for text in (first, second):
        if text not in nodes and not _looks_like_run(text):
            raise _neither_run_nor_node(text, run_id, nodes)
    return (first, second) if _looks_like_run(first) else (second, first)


def split_run_and_node(store: MetadataStore, text: str) -> tuple[str, str | None]:
    """A run, or a node of the latest run, that was given alone."""
    if _names_run(store, text) or _looks_like_run(text):
        return text, None
    run_id, nodes = _latest_nodes(store)
    if nodes and text not in nodes:
        raise _neither_run_nor_node(text, run_id, nodes)
    return "latest", text


def refuse_run_alone(store: MetadataStore, text: str) -> None:
    """Tells who names a run where a node is meant which nodes it has."""
    if not is_run(store, text):
        return
    from trainwright.history.run_view import find_run_view

    run = find_run_view(store, text).run
    nodes = ", ".join(node.node_id for node in run.nodes)
    raise WrongQuestionError(
        f"{text} is a run: name the NODE, too, as in `trainwright logs NODE {text}`, or follow all "
        f"of it with -f. The nodes of "
        f"run {run.run_id} are {nodes or 'none'}."
    )


def is_run(store: MetadataStore, text: str) -> bool:
    """Whether the text names a run, and not a node of the latest one."""
    return _names_run(store, text) and text not in _latest_nodes(store)[1]


def _names_run(store: MetadataStore, text: str) -> bool:
    return text == "latest" or bool(store.get_runs(id_prefix=text, with_deleted=True, limit=1))


def _looks_like_run(text: str) -> bool:
    """Runs begin with the year, so what begins with a digit was probably meant as one."""
    return text[:1].isdigit()


def _latest_nodes(store: MetadataStore) -> tuple[str, list[str]]:
    """The id of the latest run and its nodes; nothing if there is none."""
    for run in store.get_runs(limit=1):
        return run.run_id, [node.node_id for node in run.nodes]
    return "", []


def _neither_run_nor_node(text: str, run_id: str, nodes: list[str]) -> WrongQuestionError:
    from trainwright._suggest import did_you_mean

    return WrongQuestionError(
        f"{text!r} is neither a run nor a node of the latest run {run_id}"
        f"{did_you_mean(text, nodes)} `trainwright runs` lists the runs."
    )
