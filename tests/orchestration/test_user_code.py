"""User code works wherever it is defined."""

from __future__ import annotations

import sys
import textwrap
import threading
from types import ModuleType

import pytest

from trainwright import (
    Artifact,
    InputArtifact,
    LocalDagRunner,
    OutputArtifact,
    OutputDict,
    Parameter,
    Pipeline,
    component,
)
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_executor import BaseExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.orchestration.launching.user_code import is_importable
from trainwright.types import standard_artifacts
from trainwright.types.component_spec import ChannelParameter, ComponentSpec

SCRIPT = """
    from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, component

    FACTOR = 3

    def triple(x):
        return FACTOR * x

    @component
    def work(x: Parameter[int]) -> OutputDict(y=int):
        return {"y": triple(x)}

    def create():
        return Pipeline("script", "root", components=[work(x=7)])

    print("loaded as", __name__)
"""
RUN = """
    result = LocalDagRunner().run(create())
    print("value", open(result.outputs["work"]["y"][0].uri).read())
"""


def run_and_read(pipeline: Pipeline, node_id: str, key: str) -> str:
    result = LocalDagRunner().run(pipeline)
    with open(result.outputs[node_id][key][0].uri) as file:
        return file.read()


def test_function_in_a_script_without_a_main_guard(run_script):
    finished = run_script(SCRIPT + RUN)
    assert finished.stdout.splitlines() == ["loaded as __main__", "value 21"]


def test_function_in_a_script_with_a_main_guard(run_script):
    guarded = (
        textwrap.dedent(SCRIPT)
        + 'if __name__ == "__main__":\n'
        + textwrap.dedent(RUN)
        .replace("\n", "\n    ")
        .replace("result", "    result", 1)
        .replace("        result", "    result")
    )
    finished = run_script(guarded)
    assert "value 21" in finished.stdout


def test_function_in_an_imported_module(run_script, tmp_path):
    (tmp_path / "my_components.py").write_text(textwrap.dedent(SCRIPT))
    finished = run_script(
        "from my_components import *\nfrom my_components import create\n" + textwrap.dedent(RUN)
    )
    assert "value 21" in finished.stdout


def test_function_that_refers_to_what_cannot_be_pickled_is_loaded_from_its_script(run_script):
    """A lock in the script cannot be sent: the script is loaded again, and run() is inert there."""
    source = SCRIPT.replace(
        "def triple(x):", "import threading\n    LOCK = threading.Lock()\n\n    def triple(x):"
    ).replace("return FACTOR * x", "\n        with LOCK:\n            return FACTOR * x")
    finished = run_script(source + RUN)
    assert "value 21" in finished.stdout


def test_function_that_uses_absl_as_tfx_imported_it(run_script):
    script = SCRIPT.replace("FACTOR = 3", "import absl, tfx")
    script = script.replace("FACTOR", "(absl.logging.INFO + 3)")  # INFO is 0
    finished = run_script(script + RUN)
    assert finished.stdout.splitlines() == ["loaded as __main__", "value 21"]


def test_function_in_a_notebook_cell(run_script):
    """A notebook's cells are executed in a __main__ that has no file."""
    finished = run_script(
        f"""
        import sys, types
        main = types.ModuleType("__main__")
        sys.modules["__main__"] = main
        cells = [{textwrap.dedent(SCRIPT)!r}, {textwrap.dedent(RUN)!r}]
        for cell in cells:
            exec(compile(cell, "<ipython-input>", "exec"), main.__dict__)
        """
    )
    assert "value 21" in finished.stdout


def test_function_in_a_cell_of_ipython(run_script):
    """The shell under every notebook."""
    pytest.importorskip("IPython")
    finished = run_script(
        f"""
        from IPython.core.interactiveshell import InteractiveShell

        shell = InteractiveShell.instance()
        for cell in [{textwrap.dedent(SCRIPT)!r}, {textwrap.dedent(RUN)!r}]:
            shell.run_cell(cell).raise_error()
        """
    )
    assert "value 21" in finished.stdout


def test_function_and_artifact_type_inside_a_test(tmp_path):
    class Note(Artifact):
        TYPE_NAME = "Note"

    prefix = "from a closure: "

    @component
    def write(text: Parameter[str], note: OutputArtifact[Note]):
        with open(f"{note.uri}/note.txt", "w") as file:
            file.write(prefix + text)

    @component
    def read(note: InputArtifact[Note]) -> OutputDict(text=str):
        assert note.type_name == "Note"
        with open(f"{note.uri}/note.txt") as file:
            return {"text": file.read()}

    writer = write(text="hello")
    pipeline = Pipeline("p", str(tmp_path), components=[writer, read(note=writer.outputs["note"])])
    assert run_and_read(pipeline, "read", "text") == "from a closure: hello"


class _LinesSpec(ComponentSpec):
    PARAMETERS = {}
    INPUTS = {}
    OUTPUTS = {"lines": ChannelParameter(type=standard_artifacts.Integer)}


class _LinesExecutor(BaseExecutor):
    def Do(self, input_dict, output_dict, exec_properties):
        output_dict["lines"][0].value = len(self.context.pipeline_name)


class Lines(BaseComponent):
    SPEC_CLASS = _LinesSpec
    EXECUTOR_SPEC = ExecutorClassSpec(_LinesExecutor)

    def __init__(self):
        super().__init__(spec=_LinesSpec())


def test_executor_class_in_a_test_module(tmp_path):
    pipeline = Pipeline("four", str(tmp_path), components=[Lines()])
    assert run_and_read(pipeline, "Lines", "lines") == "4"


def test_code_that_cannot_be_sent_is_named_with_advice(tmp_path):
    lock = threading.Lock()

    @component
    def locked() -> OutputDict(x=int):
        with lock:
            return {"x": 1}

    with pytest.raises(RuntimeError, match=r"'locked' cannot be sent to its own process.*locks"):
        LocalDagRunner().run(Pipeline("p", str(tmp_path), components=[locked()]))


def test_a_module_in_a_package_that_only_this_process_knows_is_not_importable(
    tmp_path, monkeypatch
):
    """As pytest names the files of tests when it imports them by their place."""
    path = tmp_path / "some_test.py"
    path.write_text("")
    package = ModuleType("made_up_package")
    package.__path__ = [str(tmp_path)]
    module = ModuleType("made_up_package.some_test")
    module.__file__ = str(path)
    monkeypatch.setitem(sys.modules, "made_up_package", package)
    monkeypatch.setitem(sys.modules, "made_up_package.some_test", module)
    assert not is_importable("made_up_package.some_test")
