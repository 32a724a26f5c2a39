"""Decorators that steer TensorFlow's generator of API pages; elsewhere they do nothing."""

from __future__ import annotations

import sys
from typing import Any, TypeVar

T = TypeVar("T")

# Docstrings of objects that cannot hold one themselves, by the objects' ids.
EXTRA_DOCS: dict[int, str] = {}


def _unchanged(obj: T) -> T:
    return obj


def _decorators() -> tuple[Any, Any, Any]:
    # Not imported for this: the marks matter only where TensorFlow's generator runs.
    if "tensorflow" not in sys.modules:
        return _unchanged, _unchanged, _unchanged
    from tensorflow.tools.docs import doc_controls

    return (
        doc_controls.do_not_doc_in_subclasses,
        doc_controls.do_not_doc_inheritable,
        doc_controls.do_not_generate_docs,
    )


do_not_doc_in_subclasses, do_not_doc_inheritable, do_not_generate_docs = _decorators()


def documented(obj: T, doc: str) -> T:
    """Gives an object, such as the alias of a type, a docstring and returns it.

    Raises ValueError for objects that all of Python shares: numbers, None, empty values.
    """
    if isinstance(obj, int) or obj in ((), None, ""):
        raise ValueError(f"Can't add docs to singletons: `{obj}`.")
    try:
        obj.__doc__ = doc
    except AttributeError:
        EXTRA_DOCS[id(obj)] = doc
    return obj
