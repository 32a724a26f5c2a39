"""The forms of a log: JSON that parses whatever the log holds, and nothing kept in memory."""

from __future__ import annotations

import json

import pytest

from trainwright.cli.commands.logs import print_document, print_lines_as_json, print_text

LOGS = {
    "nothing": b"",
    "one newline": b"\n",
    "lines": b"one\ntwo\n\nfour\n",
    "no newline at the end": b"one\ntwo",
    "line breaks of all kinds": b"one\r\ntwo\rthree\nfour\x0bfour\x85",
    "what JSON escapes": 'a "quoted", \\ text,\nof \x1b[31m pénguins 🐧,\n'.encode(),
    "bytes that are not text": b"\xff\xfe\n\x00\n",
}
EXPECTED = {
    "nothing": [],
    "one newline": [""],
    "lines": ["one", "two", "", "four"],
    "no newline at the end": ["one", "two"],
    "line breaks of all kinds": ["one", "two", "three", "four\x0bfour\ufffd"],
    "what JSON escapes": ['a "quoted", \\ text,', "of \x1b[31m pénguins 🐧,"],
    "bytes that are not text": ["\ufffd\ufffd", "\x00"],
}


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
@pytest.mark.parametrize("kind", LOGS)
def test_json_of_any_log_in_any_pieces(capsys, kind, size):
    content = LOGS[kind]
    pieces = [content[start : start + size] for start in range(0, len(content), size)]
    print_document({"node_id": "Trainer"}, pieces)
    document = capsys.readouterr().out
    assert json.loads(document) == {"node_id": "Trainer", "lines": EXPECTED[kind]}
    assert document == json.dumps(json.loads(document), indent=2) + "\n"
    print_lines_as_json(pieces)
    lines = [json.loads(line)["line"] for line in capsys.readouterr().out.splitlines()]
    assert lines == EXPECTED[kind]


@pytest.mark.parametrize(
    "form", [print_text, print_lines_as_json, lambda pieces: print_document({}, pieces)]
)
def test_a_piece_is_printed_before_the_next_is_read(capsys, form):
    """Even of one line that is larger than memory."""

    def pieces():
        for number in range(3):
            yield b"piece %d " % number
            assert f"piece {number}" in capsys.readouterr().out

    form(pieces())
