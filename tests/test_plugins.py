"""Tests of the look-up of entry points, on packages that lie in directories on sys.path."""

import pytest

from trainwright import _plugins

GROUP = "trainwright.test_group"


@pytest.fixture
def offer(tmp_path, monkeypatch):
    """Installs a package that offers `name = value` in a group."""

    def install(package: str, name: str, value: str, group: str = GROUP) -> None:
        site = tmp_path / package
        info = site / f"{package}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n")
        monkeypatch.syspath_prepend(str(site))

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


def test_one_object_offered_twice_is_that_object(offer):
    offer("colours", "blue", "collections:OrderedDict")
    offer("paints", "blue", "collections:OrderedDict")

    assert _plugins.find(GROUP, "blue").__name__ == "OrderedDict"
