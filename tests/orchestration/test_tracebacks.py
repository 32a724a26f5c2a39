"""Errors as users see them: the reason first, their own lines, and none of ours around them."""

from __future__ import annotations

import linecache
from pathlib import Path

import pytest

import trainwright
from trainwright.orchestration.execution.tracebacks import describe_exception, format_for_log

PACKAGE = Path(trainwright.__file__).parent
LIBRARY = Path(pytest.__file__).parent / "library.py"


def raised(*steps: tuple[str, str], error: str) -> BaseException:
    """The error that the last step raises, through functions in files of these names."""
    call, namespace = f"raise {error}", {}
    for file, function in reversed(steps):
        exec(compile(f"def {function}():\n    {call}\n", file, "exec"), namespace)
        call = f"{function}()"
    try:
        namespace[function]()
    except BaseException as caught:
        return caught.with_traceback(caught.__traceback__.tb_next)
    raise AssertionError


EXECUTOR = (
    (str(PACKAGE / "orchestration/execution/worker.py"), "_execute"),
    (
        str(PACKAGE / "components/trainer/executor.py"),
        "Do",
    ),
)
FIT_WRAPPER = (str(PACKAGE / "components/user_training/keras_progress.py"), "fit")
GENERATED = ("/root/Trainer/.temp/autograph/__autograph_generated_filex1.py", "tf__call")
INTERNAL = (
    (str(PACKAGE / "data/dataset_factory.py"), "tf_dataset_factory"),
    (
        str(PACKAGE / "data/feature_spec.py"),
        "check",
    ),
)


def functions_in(text: str) -> list[str]:
    return [line.rpartition(" in ")[2] for line in text.splitlines() if line.startswith("  File")]


def test_a_good_last_line_is_not_preceded_by_our_frames():
    error = raised(*EXECUTOR, ("/home/me/model.py", "run_fn"), *INTERNAL, error="ValueError('no')")
    described = describe_exception(error)
    assert functions_in(described["traceback"]) == ["run_fn"]
    assert described["traceback"].endswith("ValueError: no\n")
    assert functions_in(format_for_log(error)) == ["Do", "run_fn", "tf_dataset_factory", "check"]


def test_frames_of_libraries_below_the_users_stay():
    steps = *EXECUTOR, ("/home/me/model.py", "run_fn"), (str(LIBRARY), "fit")
    described = describe_exception(raised(*steps, error="ValueError('no')"))
    assert functions_in(described["traceback"]) == ["run_fn", "fit"]


def test_neither_what_we_wrap_nor_generated_files_are_between_the_frames():
    steps = *EXECUTOR, ("/home/me/model.py", "run_fn"), FIT_WRAPPER, (str(LIBRARY), "fit_keras")
    steps = *steps, GENERATED, ("/home/me/layers.py", "call"), (GENERATED[0], "if_body")
    error = raised(*steps, error="ValueError('no')")
    assert functions_in(describe_exception(error)["traceback"]) == ["run_fn", "fit_keras", "call"]
    logged = ["Do", "run_fn", "fit", "fit_keras", "call"]
    assert functions_in(format_for_log(error)) == logged


def test_an_explanation_of_ours_follows_the_users_error_without_a_frame():
    cause = raised(*EXECUTOR, ("/home/me/model.py", "run_fn"), error="KeyError('x')")
    error = raised(*EXECUTOR, error="RuntimeError('x is not a feature')")
    error.__cause__ = cause
    told = describe_exception(error)["traceback"]
    assert functions_in(told) == ["run_fn"]
    assert told.endswith("following exception:\n\nRuntimeError: x is not a feature\n")


@pytest.fixture
def raised_in_ours(monkeypatch):
    """Raises an error in a file of ours, one with a source, from another if that is given."""

    def raise_error(error: str, cause: BaseException | None = None, path: str = "engine/x.py"):
        file, source = str(PACKAGE / path), f"def run():\n    raise {error} from cause\n"
        monkeypatch.setitem(linecache.cache, file, (len(source), None, source.splitlines(), file))
        namespace = {"cause": cause}
        exec(compile(source, file, "exec"), namespace)
        with pytest.raises(Exception) as caught:
            namespace["run"]()
        return caught.value.with_traceback(caught.value.__traceback__.tb_next)

    return raise_error


def test_the_log_has_a_refusal_that_was_raised_again_once(raised_in_ours):
    cause = raised_in_ours("ValueError('age is missing')", path="data/y.py")
    error = raised_in_ours("ValueError('shard 1: age is missing')", cause)
    assert describe_exception(error)["message"] == "shard 1: age is missing"
    assert format_for_log(error) == ""  # the message alone is written


@pytest.mark.parametrize("file", ["/home/me/model.py", str(LIBRARY), str(PACKAGE / "data/y.py")])
def test_the_log_keeps_what_others_raised_and_what_only_happened_in_our_code(raised_in_ours, file):
    cause = raised((file, "read"), error="ValueError('no')")
    told = format_for_log(raised_in_ours("ValueError('a: no')", cause))
    assert functions_in(told) == ["read", "run"]
    other = raised_in_ours("ValueError('b')", raised_in_ours("ValueError('a')", path="data/z.py"))
    assert functions_in(format_for_log(other)) == ["run", "run"]
    assert functions_in(format_for_log(raised_in_ours("ValueError('a')"))) == ["run"]


GRAPH_ERROR = f"""Graph execution error:

Detected at node gather defined at (most recent call last):
  File "<string>", line 1, in <module>

  File "{PACKAGE}/orchestration/launching/zygote.py", line 53, in main

  File "{PACKAGE}/components/trainer/executor.py", line 39, in Do

  File "/home/me/model.py", line 70, in run_fn

  File "{LIBRARY}", line 399, in fit

indices[1,0] = 7 is not in [0, 3)
\t [[{{{{node gather}}}}]] [Op:__inference_945]"""

IN_SESSION = f"""Graph execution error:

Detected at node 'head/Assert' defined at (most recent call last):
    File "<string>", line 1, in <module>
    File "{PACKAGE}/orchestration/launching/zygote.py", line 53, in main
    File "/home/me/model.py", line 70, in model_fn
    File "{LIBRARY}", line 399, in train
Node: 'head/Assert'
assertion failed: [Labels must be <= n_classes - 1]
\t [[{{{{node head/Assert}}}}]]

Original stack trace for 'head/Assert':
  File "<string>", line 1, in <module>
  File "/home/me/model.py", line 70, in model_fn
"""

SEVERAL = """Graph execution error:

Detected at node a defined at (most recent call last):
<stack traces unavailable>
Detected at node b defined at (most recent call last):
<stack traces unavailable>
2 root error(s) found.
  (0) INVALID_ARGUMENT:  StringToNumberOp could not correctly convert string: a
\t [[{{node a}}]]
  (1) CANCELLED:  Function was cancelled before it was started
0 successful operations."""


@pytest.mark.parametrize(
    ("message", "headline"),
    [
        (GRAPH_ERROR, "indices[1,0] = 7 is not in [0, 3)"),
        (f"shard 3: XError: {GRAPH_ERROR}", "shard 3: XError: indices[1,0] = 7 is not in [0, 3)"),
        (IN_SESSION, "assertion failed: [Labels must be <= n_classes - 1]"),
        (SEVERAL, "StringToNumberOp could not correctly convert string: a"),
        (
            "{{function_node __wrapped__MatMul}} In[0] ndims must be >= 2",
            "In[0] ndims must be >= 2",
        ),
        ("Graph execution error:", "Graph execution error:"),
        ("Graph execution error:\n\nDetected at node a", "Graph execution error:"),
    ],
)
def test_a_graph_error_is_headed_by_its_reason(message, headline):
    error = raised(("/home/me/model.py", "run_fn"), error="RuntimeError")
    error.args = (message,)
    described = describe_exception(error)
    assert described["message"].splitlines()[0] == headline
    last = described["traceback"].partition("RuntimeError: ")[2]
    assert last == described["message"] + "\n"


def test_an_error_of_a_session_says_places_of_the_user_once():
    error = raised(("/home/me/model.py", "run_fn"), error="RuntimeError")
    error.args = (IN_SESSION,)
    _, places = describe_exception(error)["message"].split("\n\n")
    assert places.splitlines() == [
        "Detected at node 'head/Assert' defined at (most recent call last):",
        '    File "/home/me/model.py", line 70, in model_fn',
        "Node: 'head/Assert'",
    ]


TRACED = f"""in user code:

    File "/home/me/model.py", line 27, in outer  *
        a = inner(a)
    File "{LIBRARY}", line 21, in handler  **
        raise e
    File "{GENERATED[0]}", line 25, in if_body
        raise

    ValueError: Dimensions must be equal, but are 1 and 3
    {""}
    for MatMul
"""

IN_LAYERS = f"""in user code:

    File "{LIBRARY}", line 1398, in train_function  *
        return step(self, iterator)

    ValueError: Exception encountered when calling layer 'm' (type M).
    {""}
    in user code:
    {""}
        File "/home/me/model.py", line 62, in call  *
            return self.l(x)
    {""}
        ValueError: Exception encountered when calling layer 'l' (type L).
        {""}
        Input 0 of layer "l" is incompatible with the layer
        {""}
        Call arguments received by layer 'l' (type L):
          • x=tf.Tensor(shape=(None, 7), dtype=float32)
    {""}
    {""}
    Call arguments received by layer 'm' (type M):
      • x=1
"""

OF_KERAS_3 = """Exception encountered when calling L.call().

\x1b[1mCould not automatically infer the output shape / dtype of 'l'. Error encountered:

Dimensions must be equal, but are 7 and 3.\x1b[0m

Arguments received by L.call():
  • args=('<KerasTensor>',)"""


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (
            TRACED,
            "Dimensions must be equal, but are 1 and 3\n\nfor MatMul\n\n"
            "Traced at (most recent call last):\n"
            '  File "/home/me/model.py", line 27, in outer\n    a = inner(a)',
        ),
        (
            IN_LAYERS,
            'Input 0 of layer "l" is incompatible with the layer\n\n'
            "Traced at (most recent call last):\n"
            '  File "/home/me/model.py", line 62, in call\n    return self.l(x)\n\n'
            "Call arguments received by layer 'l' (type L):\n"
            "  • x=tf.Tensor(shape=(None, 7), dtype=float32)\n"
            "Call arguments received by layer 'm' (type M):\n"
            "  • x=1",
        ),
        (
            OF_KERAS_3,
            "Dimensions must be equal, but are 7 and 3.\n\n"
            "Could not automatically infer the output shape / dtype of 'l'.\n"
            "Arguments received by L.call():\n"
            "  • args=('<KerasTensor>',)",
        ),
        (
            f'batch 3: in user code:\n\n    File "{LIBRARY}", line 1, in f\n        a\n\n'
            "    Picky: no\n\nTry again.",
            f"batch 3: Picky: no\n\nTraced at (most recent call last):\n"
            f'  File "{LIBRARY}", line 1, in f\n    a\n\nTry again.',
        ),
        (
            "Exception encountered when calling L.call().\n\nno",
            "no\n\nException encountered when calling L.call().",
        ),
        ("in user code: no", "in user code: no"),
        ("Exception encountered when calling home", "Exception encountered when calling home"),
    ],
)
def test_an_error_of_traced_code_is_headed_by_its_reason(message, told):
    error = raised(("/home/me/model.py", "run_fn"), error="ValueError")
    error.args = (message,)
    described = describe_exception(error)
    assert described["message"] == told
    assert described["traceback"].endswith(f"ValueError: {told}\n")


def test_data_in_a_message_is_not_searched_for_a_reason():
    message = f"Graph execution error:\n\nNode: x\n{'z' * (1 << 20)}"
    assert describe_exception(ValueError(message))["message"] == message


def test_of_where_an_op_was_made_the_users_lines_are_shown():
    error = raised(("/home/me/model.py", "run_fn"), error="RuntimeError")
    error.args = (GRAPH_ERROR,)
    assert describe_exception(error)["message"] == (
        "indices[1,0] = 7 is not in [0, 3)\n"
        "\t [[{{node gather}}]] [Op:__inference_945]\n"
        "\n"
        "Detected at node gather defined at (most recent call last):\n"
        '  File "/home/me/model.py", line 70, in run_fn'
    )


def test_a_refused_pipeline_shows_the_users_line_and_one_of_ours(run_script):
    """Not how deep inside it was noticed."""
    finished = run_script(
        """
        from trainwright import LocalDagRunner, Pipeline
        from trainwright.components import CsvExampleGen
        LocalDagRunner().run(Pipeline("p", "root", components=[CsvExampleGen("nowhere")]))
        """,
        check=False,
    )
    assert finished.stderr.splitlines()[-1].startswith("trainwright._paths.MissingInputError: ")
    files = [line for line in finished.stderr.splitlines() if line.startswith("  File")]
    assert [Path(line.split('"')[1]).name for line in files] == [
        "script.py",
        "local_dag_runner.py",
    ]
