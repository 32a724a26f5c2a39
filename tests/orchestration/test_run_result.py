"""The outcome of a run as a notebook shows it."""

from __future__ import annotations

import dataclasses
from html.parser import HTMLParser

from trainwright.metadata.records import ArtifactRecord, ArtifactState, TypeRecord
from trainwright.orchestration.run_result import NodeFailure, NodeState, RunResult

EVIL = "<script>alert(1)</script>\x1b[31m\"'&"


def artifact(type_name: str, uri: str, **custom_properties: object) -> ArtifactRecord:
    return ArtifactRecord(
        id=7,
        type=TypeRecord(name=type_name),
        uri=uri,
        state=ArtifactState.LIVE,
        custom_properties=custom_properties,
    )


RESULT = RunResult(
    run_id="2026-11-16T00:28:45",
    states={
        "Evaluator": NodeState.COMPLETE,
        "Pusher": NodeState.CACHED,
        "Later": NodeState.SKIPPED,
    },
    outputs={
        "Evaluator": {
            "blessing": [artifact("ModelBlessing", "/root/Evaluator/blessing/7", blessed=1)]
        },
        "Pusher": {
            "pushed_model": [
                artifact("PushedModel", "/root/Pusher/pushed/8", pushed_destination="/serve/1")
            ]
        },
    },
    pages={"Evaluator": ["/root/a b/evaluation.html"]},
    root="/root",
    skipped={"Later": "1 is not 2"},
    seconds=10.21,
)


class Reader(HTMLParser):
    """The tags, the links and the text of a page; raises on what is not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.links: list[str | None] = []
        self.text = ""

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.links += [value for name, value in attributes if name == "href"]
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def read(result: RunResult) -> Reader:
    reader = Reader()
    reader.feed(result._repr_html_())
    reader.close()
    assert reader.open == []
    return reader


def test_a_short_repr():
    assert repr(RESULT) == (
        "<RunResult 2026-11-16T00:28:45: complete in 10.2 s (1 complete, 1 cached, 1 skipped)>"
    )


def test_a_table_in_a_notebook():
    shown = read(RESULT)
    assert "Run 2026-11-16T00:28:45: complete in 10.2 s" in shown.text
    assert "blessing: ModelBlessing 7" in shown.text
    assert "blessing: ModelBlessing 7: the model is blessed" in shown.text
    assert "pushed_model: PushedModel 7: pushed to /serve/1" in shown.text
    assert "skipped: 1 is not 2" in shown.text
    assert shown.links == ["file:///root/a%20b/evaluation.html"]
    assert "/root/a b/evaluation.html" in shown.text


def test_a_page_below_the_notebook_is_linked_from_there(tmp_path, monkeypatch):
    """Browsers follow no file: links from a page that came over http."""
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "root" / "a b#1" / "evaluation.html"
    shown = read(dataclasses.replace(RESULT, pages={"Evaluator": [str(page)]}))
    assert shown.links == ["root/a%20b%231/evaluation.html"]
    assert "root/a b#1/evaluation.html" in shown.text


def test_nodes_in_the_order_of_the_pipeline():
    pages = {"Pusher": ["/p.html"], "Evaluator": ["/e.html"]}
    order = ["Later", "Evaluator", "Resolver", "Pusher"]
    result = dataclasses.replace(RESULT, pages=pages).in_order(order)
    assert list(result.states) == ["Later", "Evaluator", "Pusher"]
    assert list(result.outputs) == list(result.pages) == ["Evaluator", "Pusher"]


def test_everything_in_it_is_escaped():
    made = {EVIL: [artifact(EVIL, f"/{EVIL}/{EVIL}/1", pushed_destination=EVIL)]}
    result = RunResult(
        run_id=EVIL,
        states={EVIL: NodeState.FAILED},
        outputs={EVIL: made},
        pages={EVIL: [f"/{EVIL}.html"]},
        root=EVIL,
        skipped={EVIL: EVIL},
        failures=(NodeFailure(node_id=EVIL, error_type=EVIL, message=EVIL, traceback=EVIL),),
    )
    shown = read(result)
    assert "script" not in shown.tags
    assert "\x1b" not in result._repr_html_()
    assert shown.text.count("<script>alert(1)</script>") > 5
