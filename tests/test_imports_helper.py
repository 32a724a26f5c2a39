import pytest

from trainwright._imports import require


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
