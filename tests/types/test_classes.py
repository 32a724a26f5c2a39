"""Class checks of type hints, which Python 3.10 takes for classes."""

from __future__ import annotations

from trainwright.types.classes import is_class, is_subclass
from trainwright.types.component_spec import ExecutionParameter


def test_a_generic_hint_is_not_a_class():
    assert is_class(list)
    assert not is_class(list[int])
    assert is_subclass(bool, int)
    assert not is_subclass(list[int], list)
    assert not is_subclass("list", list)


def test_a_parameter_may_have_a_generic_type():
    assert ExecutionParameter(type=list[int]).proto_class is None
