"""The rule for names that become directories: of pipelines, nodes, output keys and splits.

Outputs lie at `<root>/<node>/<key>/<execution>/Split-<split>`. A name that is more than one step
of such a path, or a step that files cannot have, would put data where nobody looks for it.
"""

from __future__ import annotations

# File systems take 255 bytes; the rest is for what is put around a name, like `Split-` or `.html`.
MAX_NAME_BYTES = 200


def check_name(what: str, name: object) -> str:
    """The name, if files can be kept under it; `what` says whose name it is.

    >>> check_name("node id", "Trainer.v2 (large)")
    'Trainer.v2 (large)'
    >>> check_name("node id", "../evil")
    Traceback (most recent call last):
    ...
    ValueError: The node id '../evil' begins with a dot. A name becomes a directory: it has 1 to \
200 bytes, all of them printable characters, no slash, and does not begin with a dot.
    """
    problem = _find_problem(name)
    if problem is None:
        assert isinstance(name, str)
        return name
    shown = repr(name)
    if len(shown) > 80:
        shown = f"{shown[:60]}...{shown[-10:]}"
    raise ValueError(
        f"The {what} {shown} {problem}. A name becomes a directory: it has 1 to {MAX_NAME_BYTES} "
        "bytes, all of them printable characters, no slash, and does not begin with a dot."
    )


def _find_problem(name: object) -> str | None:
    """What is wrong with a name, in words; None if it can be a directory."""
    if not isinstance(name, str):
        return "is not a string"
    if not name.strip():
        return "is empty"
    if name.startswith("."):
        return "begins with a dot"
    if "/" in name:
        return "has a slash in it"
    if not name.isprintable():
        return "has characters in it that cannot be printed"
    size = len(name.encode("utf-8"))
    return f"has {size} bytes" if size > MAX_NAME_BYTES else None
