"""Tests of the look-up of entry points, on packages that lie in directories on sys.path."""

import pytest

from trainwright import _plugins

GROUP = "trainwright.test_group"


@pytest.fixture
def offer(install_package):
    """Installs a package that offers `name = value` in a group."""

    def install(package: str, name: str, value: str, group: str = GROUP) -> None:
        install_package(package, {group: {name: value}})

    return install


def test_finds_what_a_package_offers(offer):
    offer("colours", "blue", "collections:OrderedDict")

    from collections import OrderedDict

    assert _plugins.find(GROUP, "blue") is OrderedDict
    assert _plugins.names(GROUP) == ["blue"]


def test_a_name_that_nobody_offers_is_none(offer):
    offer("colours", "blue", "collections:OrderedDict", group="trainwright.another_group")

    assert _plugins.find(GROUP, "blue") is None
    assert _plugins.names(GROUP) == []


@pytest.mark.parametrize("value", ["no_such_module:Thing", "collections:NoSuchName"])
def test_what_cannot_be_imported_is_said_with_its_package(offer, value):
    offer("colours", "blue", value)

    with pytest.raises(_plugins.PluginError, match=f"'blue'.*{value} of colours.*Reinstall"):
        _plugins.find(GROUP, "blue")


def test_two_packages_with_one_name_are_both_named(offer):
    offer("colours", "blue", "collections:OrderedDict")
    offer("paints", "blue", "collections:Counter")

    with pytest.raises(_plugins.PluginError, match=r"colours \(.*\) and paints \(.*Uninstall"):
        _plugins.find(GROUP, "blue")


def test_what_is_offered_is_known_without_an_import(offer):
    offer("colours", "blue", "no_such_module:Thing")

    assert _plugins.is_offered(GROUP, "blue")
    assert not _plugins.is_offered(GROUP, "red")
    assert _plugins.packages_by_name(GROUP) == {"blue": "colours"}


def test_an_object_of_the_wrong_kind_is_said_with_its_package(offer):
    offer("colours", "blue", "collections:OrderedDict")

    error = _plugins.refuse(GROUP, "blue", "which is a dict: expected a colour")
    assert str(error) == (
        f"'blue' of the entry points {GROUP} is collections:OrderedDict of colours, which is a "
        "dict: expected a colour. Reinstall that package, or uninstall it."
    )


def test_one_object_offered_twice_is_that_object(offer):
    offer("colours", "blue", "collections:OrderedDict")
    offer("paints", "blue", "collections:OrderedDict")

    assert _plugins.find(GROUP, "blue").__name__ == "OrderedDict"


def test_what_was_remembered_is_not_read_again(monkeypatch):
    monkeypatch.setattr(_plugins, "_remembered", {})
    _plugins.remember("trainwright.views")

    def read_again(**group):
        raise AssertionError("the metadata of all packages was read again")

    monkeypatch.setattr("importlib.metadata.entry_points", read_again)
    assert not _plugins.is_offered("trainwright.views", "Nothing")
    with pytest.raises(AssertionError, match="read again"):
        _plugins.is_offered("trainwright.engines", "nothing")
