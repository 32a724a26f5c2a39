"""Module files are looked at before anything runs, without running them."""

import os
import sys
import types

import pytest

from trainwright import Channel
from trainwright.components import Trainer
from trainwright.components.user_module import check_module_file, check_module_name
from trainwright.types.standard_artifacts import Examples

RUN_FN = "\ndef run_fn(fn_args):\n    pass\n"


@pytest.fixture
def check(tmp_path):
    """Checks a module file with this content before `run_fn`."""

    def check(source):
        path = tmp_path / "code" / "module.py"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(source.encode() + RUN_FN.encode())
        check_module_file(str(path), "Trainer", "run_fn")

    return check


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import no_such_module", "line 1 imports no_such_module, which is not installed. Install"),
        ("import os\nimport json, no_such.sub as x", "line 2 imports no_such.sub, which is not"),
        ("import os\n\nfrom no_such.sub import x", "line 3 imports no_such.sub, which is not"),
        ("import jsn", "which is not installed. Did you mean 'json'"),
        ("from numpi import array", "which is not installed. Did you mean 'numpy'"),
        ("import besides", "which is not installed. Did you mean 'beside'"),
        ("from tfx import v1 as tfx\nimport no_such_module", "line 2 imports no_such_module"),
        ("import os\nHERE = os.path.dirname(__file__)\nimport no_such_module", "line 3 imports"),
        ("class A: pass\ndef f():\n  sys.path\nimport no_such_module", "line 4 imports"),
    ],
)
def test_an_import_of_what_is_not_installed_is_found(check, tmp_path, source, words):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "beside.py").touch()
    with pytest.raises(ValueError, match=words):
        check(source)


@pytest.mark.parametrize(
    "source",
    [
        "from __future__ import annotations\nimport os.path, sys, _io",
        "import numpy as np\nimport tensorflow as tf\nfrom tfx import v1 as tfx",
        "import tensorflow_model_analysis as tfma\nimport trainwright",
        "try:\n    import no_such_module\nexcept ImportError:\n    no_such_module = None",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import no_such_module",
        "def f():\n    import no_such_module",
        "from . import no_such_module",
        "import beside, package.sub, namespace.sub",
        "import module",
        "import sys\nsys.path.insert(0, 'lib')\nimport no_such_module",
        "from sys import path\npath += ['lib']\nimport no_such_module",
        "import sys\nwith open('x') as f:\n    sys.path.append('lib')\nimport no_such_module",
        "import site\nsite.addsitedir('lib')\nimport no_such_module",
        "import sys, types\nsys.modules['made'] = types.ModuleType('made')\nimport made",
        "import beside  # which may change sys.path\nimport no_such_module",
    ],
)
def test_an_import_that_works_or_may_work_is_let_pass(check, tmp_path, source):
    (tmp_path / "code" / "package").mkdir(parents=True)
    (tmp_path / "code" / "package" / "__init__.py").touch()
    (tmp_path / "code" / "namespace").mkdir()
    (tmp_path / "code" / "beside.py").write_text("raise AssertionError('it was executed')")
    check(source)
    assert "beside" not in sys.modules


def test_a_module_on_the_search_path_of_the_runner_is_found(check, tmp_path, monkeypatch):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "of_the_project.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path / "lib"))
    check("import of_the_project")


def test_a_module_that_does_not_say_where_it_comes_from_is_let_pass(check, monkeypatch):
    module = types.ModuleType("made_in_a_notebook")
    module.__spec__ = None
    monkeypatch.setitem(sys.modules, "made_in_a_notebook", module)
    check("import made_in_a_notebook")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import os\nx = '\0'\n", "of Trainer has a NUL character in line 2, which Python code"),
        ("# coding: nonsense\n", "of Trainer has a syntax error: unknown encoding: nonsense$"),
        ("x = (", r"of Trainer has a syntax error in line \d: "),
    ],
)
def test_what_is_not_python_is_described_with_its_line(check, source, words):
    with pytest.raises(ValueError, match=words) as refused:
        check(source)
    assert "None" not in str(refused.value)


def test_a_module_file_that_is_not_a_file_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "module.py")
    with pytest.raises(ValueError, match="The module file of Trainer .* is a named pipe, not a fi"):
        check_module_file(str(tmp_path / "module.py"), "Trainer", "run_fn")
    with pytest.raises(ValueError, match="is a directory, not a file"):
        check_module_file(str(tmp_path), "Trainer", "run_fn")


@pytest.mark.parametrize("name", ["no_such_package.training.run_fn", "no_such_package@wheel"])
def test_a_dotted_name_whose_package_is_not_installed_is_refused(name):
    with pytest.raises(ValueError, match="run_fn of Trainer is '.*', but there is no module 'no_s"):
        check_module_name(name, "run_fn", "Trainer")


@pytest.mark.parametrize("name", [None, print, "", "json.loads", "__main__.run_fn", "tfx@1.0"])
def test_other_names_are_let_pass(name):
    check_module_name(name, "run_fn", "Trainer")


def test_a_trainer_is_refused_whose_run_fn_cannot_be_imported():
    trainer = Trainer(examples=Channel(type=Examples), run_fn="no_such_package.run_fn")
    with pytest.raises(ValueError, match="there is no module 'no_such_package'"):
        Trainer.DRIVER_CLASS().check(trainer, dict(trainer.exec_properties))
