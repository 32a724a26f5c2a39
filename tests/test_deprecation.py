"""Deprecated names work, warn once, and can be told from the names that replace them."""

import warnings

import pytest

from trainwright._deprecation import (
    TfxDeprecationWarning,
    deprecated,
    deprecated_alias,
    get_first_nondeprecated_class,
)


class Node:
    """A node.

    With more to say.
    """

    def __init__(self, name):
        self.name = name


def warnings_of(function, *args):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(*args)
    assert all(warning.category is TfxDeprecationWarning for warning in caught)
    return result, [str(warning.message) for warning in caught]


def test_a_deprecated_function_works_and_warns_at_its_first_call():
    @deprecated("2030-01-01", "Use triple.")
    def double(number):
        return 2 * number

    result, messages = warnings_of(double, 4)
    assert result == 8
    (message,) = messages
    assert message.startswith(f"From {__file__}:")
    assert "is deprecated and will be removed after 2030-01-01" in message
    assert message.endswith("Instructions for updating:\nUse triple.")
    assert warnings_of(double, 4) == (8, [])
    assert double.__name__ == "double"


def test_it_may_warn_at_every_call():
    func = deprecated(None, "Stop.", warn_once=False)(len)
    for _ in range(2):
        result, messages = warnings_of(func, "abc")
        assert result == 3
        assert "removed in a future version" in messages[0]


def test_only_what_can_be_called_is_decorated():
    with pytest.raises(ValueError, match="is not a function for deprecation"):
        deprecated(None, "")(3)


def test_an_alias_of_a_class_makes_instances_of_the_class():
    Old = deprecated_alias("old.Node", "new.Node", Node)
    node, messages = warnings_of(Old, "a")
    assert isinstance(node, Node)
    assert node.name == "a"
    assert messages[0].endswith("The name old.Node is deprecated. Please use new.Node instead.")
    assert Old.__doc__.splitlines()[0] == "A node. (deprecated)"
    assert "Please use new.Node instead." in Old.__doc__
    assert Old.__doc__.endswith("With more to say.")


def test_the_class_behind_an_alias_is_found_and_a_subclass_of_it_is_no_alias():
    Old = deprecated_alias("old.Node", "new.Node", Node)

    class Own(Old):
        pass

    assert get_first_nondeprecated_class(Old) is Node
    assert get_first_nondeprecated_class(Node) is Node
    assert get_first_nondeprecated_class(Own) is Own
