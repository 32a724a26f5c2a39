"""Names that become directories: what is refused, and what is as free as in TFX."""

from __future__ import annotations

import pytest

from trainwright.types.names import check_name


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (None, "None is not a string"),
        (5, "5 is not a string"),
        ("", "'' is empty"),
        (" ", "' ' is empty"),
        (".", "begins with a dot"),
        ("..", "begins with a dot"),
        ("../evil", "begins with a dot"),
        (".system", "begins with a dot"),
        ("a/b", "has a slash in it"),
        ("/a", "has a slash in it"),
        ("a\0b", "cannot be printed"),
        ("a\nb", "cannot be printed"),
        ("\x1b[31mred", "cannot be printed"),
        ("\ud800", "cannot be printed"),
        ("x" * 300, "has 300 bytes"),
        ("ü" * 101, "has 202 bytes"),
    ],
)
def test_what_cannot_be_a_directory_is_refused(wrong, why):
    with pytest.raises(ValueError) as raised:
        check_name("node id", wrong)
    message = str(raised.value)
    assert why in message
    assert message.startswith("The node id ")
    assert message.isprintable(), "what was received is shown escaped"
    assert len(message) < 250


@pytest.mark.parametrize(
    "name", ["Trainer.v2", "my trainer", "schätzer", "a-b:c", "a\\b", "x" * 99]
)
def test_other_names_pass(name):
    assert check_name("node id", name) == name
