"""Functions out of user modules, and user modules as wheels."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tfx.components.util import udf_utils
from tfx.dsl.components.base import base_component, base_executor, executor_spec
from tfx.types import component_spec


class ModuleSpec(component_spec.ComponentSpec):
    PARAMETERS = {
        "module_file": component_spec.ExecutionParameter(type=str, optional=True),
        "module_path": component_spec.ExecutionParameter(type=str, optional=True),
    }
    INPUTS = {}
    OUTPUTS = {}


class Component(base_component.BaseComponent):
    SPEC_CLASS = ModuleSpec
    EXECUTOR_SPEC = executor_spec.ExecutorClassSpec(base_executor.EmptyExecutor)


@pytest.fixture
def module_file(tmp_path):
    code = tmp_path / "code"
    code.mkdir()
    (code / "udf_helper.py").write_text("SIZE = 3\n")
    (code / "udf_module.py").write_text(
        "from udf_helper import SIZE\n\ndef preprocess():\n    return SIZE\n"
    )
    return str(code / "udf_module.py")


@pytest.fixture(autouse=True)
def forget_modules(monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    for name in ("udf_module", "udf_helper"):
        sys.modules.pop(name, None)


def test_a_function_is_found_in_a_file_with_its_neighbours(module_file):
    properties = {"module_file": module_file}
    assert udf_utils.get_fn(properties, "preprocess")() == 3
    assert udf_utils.try_get_fn(properties, "absent") is None
    assert udf_utils.get_fn({"my_fn": "os.path.join"}, "my_fn").__name__ == "join"
    with pytest.raises(ValueError, match="Neither module file or user function"):
        udf_utils.get_fn({}, "preprocess")


def test_a_function_is_found_in_a_wheel(module_file, tmp_path):
    wheel, path = udf_utils.package_user_module_file("Trainer", module_file, str(tmp_path / "root"))
    assert path == f"udf_module@{wheel}"
    assert udf_utils.decode_user_module_key(path) == ("udf_module", [wheel])
    assert udf_utils.get_fn({"module_path": path}, "preprocess")() == 3


def test_a_wheel_is_what_pip_takes_and_equal_for_equal_files(module_file, tmp_path):
    first, _ = udf_utils.package_user_module_file("Trainer", module_file, str(tmp_path / "a"))
    second, _ = udf_utils.package_user_module_file("Trainer", module_file, str(tmp_path / "b"))
    assert Path(first).read_bytes() == Path(second).read_bytes()
    with zipfile.ZipFile(first) as archive:
        assert {"udf_module.py", "udf_helper.py"} < set(archive.namelist())
    target = tmp_path / "target"
    command = ["pip", "install", "-q", "--no-index", "--target", str(target), first]
    subprocess.run([sys.executable, "-m", *command], check=True)
    assert (target / "udf_helper.py").exists()


@pytest.mark.parametrize(("name", "words"), [("a.txt", "is not a"), ("a.py", "does not exist")])
def test_what_cannot_be_packaged(tmp_path, name, words):
    with pytest.raises(ValueError, match=words):
        udf_utils.package_user_module_file("Trainer", str(tmp_path / name), str(tmp_path))


def test_the_module_of_a_component_is_packaged_when_asked(module_file, tmp_path):
    component = Component(spec=ModuleSpec(module_file=module_file))
    udf_utils.add_user_module_dependency(component, "module_file", "module_path")
    [dependency] = component._pip_dependencies
    assert component.exec_properties["module_file"] == module_file
    wheel = dependency.resolve(str(tmp_path / "root"))
    assert wheel.startswith(str(tmp_path / "root" / "_wheels" / "tfx_user_code_Component-0.0+"))
    assert component.exec_properties["module_path"] == f"udf_module@{wheel}"
    assert component.exec_properties["module_file"] is None


def test_links_to_nowhere_beside_a_module_do_not_hinder_its_wheel(tmp_path):
    (tmp_path / "trainer.py").write_text("x = 1\n")
    (tmp_path / ".#trainer.py").symlink_to("user@host.1234")
    (tmp_path / "folder.py").mkdir()
    wheel, _ = udf_utils.package_user_module_file(
        "Trainer", str(tmp_path / "trainer.py"), str(tmp_path / "root")
    )
    with zipfile.ZipFile(wheel) as archive:
        assert [name for name in archive.namelist() if name.endswith(".py")] == ["trainer.py"]
