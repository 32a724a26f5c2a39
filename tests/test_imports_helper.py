import pytest

from trainwright._imports import load_object, require


def test_gives_the_module():
    import os.path

    assert require("os.path", extra="transform") is os.path


@pytest.mark.parametrize("module", ["no_such_package", "no_such_package.inner", "json.no_such"])
def test_says_how_to_install_what_is_missing(module):
    with pytest.raises(ImportError, match=r"pip install 'trainwright\[ray\]'") as raised:
        require(module, extra="ray")
    assert module in str(raised.value)


def test_keeps_the_error_of_a_package_that_is_there_but_broken(tmp_path, monkeypatch):
    (tmp_path / "half_installed.py").write_text("import its_missing_dependency\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="its_missing_dependency") as raised:
        require("half_installed", extra="ray")
    assert "pip install" not in str(raised.value)


def test_an_object_is_loaded_by_its_path(tmp_path, monkeypatch):
    (tmp_path / "broken_module.py").write_text("import not_there_at_all\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert load_object("collections:OrderedDict") is load_object("collections.OrderedDict")
    with pytest.raises(ValueError, match="'run_fn' does not name an object of a module; expected"):
        load_object("run_fn")
    with pytest.raises(ValueError, match="'collections:' does not name"):
        load_object("collections:")
    with pytest.raises(ImportError, match="Could not import requested module path 'no_such.mod'"):
        load_object("no_such.mod:name")
    with pytest.raises(AttributeError, match="the module 'collections' has no 'OrderDict'"):
        load_object("collections:OrderDict")
    # The module is there: what it lacks is named, and not the module itself.
    with pytest.raises(ModuleNotFoundError, match="No module named 'not_there_at_all'"):
        load_object("broken_module:name")
