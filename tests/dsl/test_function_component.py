"""@component: every kind of argument and result, and what a wrong declaration says."""

import importlib.util
import sys
from pathlib import Path
from typing import Optional, TypedDict

import pytest

from trainwright import (
    Artifact,
    Channel,
    InputArtifact,
    LocalDagRunner,
    OutputArtifact,
    OutputDict,
    Parameter,
    Pipeline,
    RuntimeParameter,
    component,
)
from trainwright.dsl.annotations import AsyncOutputArtifact, BeamComponentParameter
from trainwright.dsl.base_beam_component import BaseBeamComponent
from trainwright.proto import trainer_pb2
from trainwright.types import system_types
from trainwright.types.standard_artifacts import (
    Boolean,
    Bytes,
    Examples,
    Float,
    Integer,
    JsonValue,
    Model,
    String,
)


class Measured(TypedDict):
    loss: float
    note: str | None


@component
def everything(
    examples: InputArtifact[Examples],
    models: InputArtifact[list[Model]],
    number: int,
    text: str,
    ratio: float,
    flag: bool,
    raw: bytes,
    model: OutputArtifact[Model],
    steps: Parameter[int],
    rate: Parameter[float] = 0.1,
    name: Parameter[str] = "adam",
    verbose: Parameter[bool] = False,
    layers: Parameter[list[int]] = None,
    options: Parameter[dict[str, float]] = None,
    args: Parameter[trainer_pb2.TrainArgs] = None,
) -> OutputDict(count=int, label=str, loss=float, good=bool, blob=bytes, table=dict, rows=list):
    """Has one of each."""


def executor_of(decorated):
    return decorated.EXECUTOR_SPEC.executor_class


def channels():
    return {
        "examples": Channel(type=Examples),
        "models": Channel(type=Model),
        "number": Channel(type=Integer),
        "text": Channel(type=String),
        "ratio": Channel(type=Float),
        "flag": Channel(type=Boolean),
        "raw": Channel(type=Bytes),
    }


def test_a_node_has_the_channels_and_properties_of_its_function():
    node = everything(**channels(), steps=5)
    assert node.id == "everything"
    assert {key: channel.type for key, channel in node.inputs.items()} == {
        key: channel.type for key, channel in channels().items()
    }
    assert {key: channel.type for key, channel in node.outputs.items()} == {
        "model": Model,
        "count": Integer,
        "label": String,
        "loss": Float,
        "good": Boolean,
        "blob": Bytes,
        "table": JsonValue,
        "rows": JsonValue,
    }
    assert node.exec_properties == {"steps": 5, "rate": 0.1, "name": "adam", "verbose": False}
    assert everything.__doc__ == "Has one of each."


def test_parameters_are_checked_and_protos_stored_as_json():
    node = everything(
        **channels(), steps=5, rate=1, layers=[1, 2], options={"a": 0.5}, args={"num_steps": 3}
    )
    assert node.exec_properties["layers"] == [1, 2]
    assert '"num_steps": 3' in node.exec_properties["args"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("steps", "5"),
        ("rate", "fast"),
        ("name", 5),
        ("verbose", 1),
        ("layers", ["a"]),
        ("options", {"a": "b"}),
        ("args", 5),
    ],
)
def test_a_parameter_of_the_wrong_type_is_refused(name, value):
    with pytest.raises(
        TypeError, match=rf"for parameter '{name}' but got {value}".replace("[", r"\[")
    ):
        everything(**{**channels(), "steps": 5, name: value})


def test_a_parameter_may_come_with_the_run():
    parameter = RuntimeParameter("steps", ptype=int)
    assert everything(**channels(), steps=parameter).exec_properties["steps"] is parameter


def test_a_missing_argument_is_named():
    with pytest.raises(ValueError, match="everything expects parameter 'steps' of type"):
        everything(**channels())
    without_text = {key: value for key, value in channels().items() if key != "text"}
    with pytest.raises(ValueError, match="everything expects input 'text' to be a Channel"):
        everything(**without_text, steps=5)


def test_a_channel_of_the_wrong_type_is_refused():
    with pytest.raises(TypeError, match="Argument number should be a Channel of type .*Integer"):
        everything(**{**channels(), "number": Channel(type=String)}, steps=5)


def test_a_value_where_a_channel_is_needed_is_refused():
    with pytest.raises(TypeError, match=r"Argument number should be a Channel .*\(got 5\)"):
        everything(**{**channels(), "number": 5}, steps=5)


def test_a_channel_where_a_value_is_needed_says_how_to_declare_it():
    with pytest.raises(TypeError) as raised:
        everything(**channels(), steps=Channel(type=Integer))
    assert "everything: 'steps' is a Parameter and takes a value, not a channel" in str(
        raised.value
    )
    assert "`steps: int`" in str(raised.value)


def test_arguments_are_given_by_keyword():
    with pytest.raises(ValueError, match="everything expects arguments to be passed as keyw"):
        everything(Channel(type=Examples), 5)


def test_an_unknown_argument_gets_a_suggestion():
    with pytest.raises(ValueError, match="to 'everything': step; did you mean 'steps'"):
        everything(**channels(), step=5)


def test_an_output_cannot_be_given():
    with pytest.raises(ValueError, match="Unknown arguments to 'everything': model; did you mean"):
        everything(**channels(), steps=5, model=Channel(type=Model))


def test_the_function_itself_can_be_called_in_tests():
    @component
    def double(value: int, scale: Parameter[int] = 2) -> OutputDict(out=int):
        return {"out": value * scale}

    assert double.test_call(value=4) == {"out": 8}
    assert double.test_call(4, scale=3) == {"out": 12}


def test_the_decorator_may_have_parentheses_and_a_base_type():
    @component(component_annotation=system_types.Train)
    def fit(steps: Parameter[int]):
        pass

    @component()
    def fit_too(steps: Parameter[int]):
        pass

    assert fit.SPEC_CLASS.TYPE_ANNOTATION is system_types.Train
    assert fit_too(steps=1).exec_properties == {"steps": 1}


def test_optional_inputs_may_be_left_out():
    @component
    def relaxed(
        examples: InputArtifact[Examples] = None,
        model: InputArtifact[Model | None] = None,
        number: int | None = None,
        text: str = "x",
    ):
        pass

    assert dict(relaxed().inputs) == {}
    assert list(relaxed(examples=None, number=Channel(type=Integer)).inputs) == ["number"]


def test_a_typed_dict_declares_results():
    @component
    def measure() -> Measured:
        return {"loss": 1.0, "note": None}

    node = measure()
    assert {key: channel.type for key, channel in node.outputs.items()} == {
        "loss": Float,
        "note": String,
    }
    assert executor_of(measure)._RETURNED_VALUES == {"loss": False, "note": True}


def test_string_annotations_are_understood(monkeypatch):
    path = Path(__file__).parent / "future_annotations_module.py"
    spec = importlib.util.spec_from_file_location("future_annotations_module", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)

    node = module.train(examples=Channel(type=Examples), steps=3, names=["a"])
    assert {key: channel.type for key, channel in node.outputs.items()} == {
        "model": Model,
        "loss": Float,
        "done": Integer,
    }
    assert node.exec_properties == {"steps": 3, "names": ["a"]}
    assert executor_of(module.measure)._RETURNED_VALUES["note"]
    assert module.nothing(steps=1).outputs == {}


def test_a_component_inside_a_function_knows_what_is_around_it(tmp_path):
    class Report(Artifact):
        TYPE_NAME = "Report"

    scale = 3

    @component
    def write(report: OutputArtifact[Report], rows: Parameter[int]) -> "OutputDict(size=int)":
        Path(report.uri, "report.txt").write_text("x" * rows * scale)
        assert type(report) is Report
        return {"size": rows * scale}

    @component
    def measure(report: "InputArtifact[Report]", size: int) -> OutputDict(same=bool):
        return {"same": len(Path(report.uri, "report.txt").read_text()) == size}

    written = write(rows=5)
    measured = measure(report=written.outputs["report"], size=written.outputs["size"])
    pipeline = Pipeline("local", str(tmp_path), components=[written, measured])
    outputs = LocalDagRunner().run(pipeline).outputs
    assert Path(outputs["measure"]["same"][0].uri).read_text() == "1"
    assert outputs["write"]["report"][0].type.name == "Report"


def declare(annotation=None, returns=None, default=...):
    """Declares a component `wrong` with one argument `given` and a result."""
    arguments = (5,) if default is ... else (default,)

    def wrong(given=5):
        pass

    wrong.__defaults__ = None if default is ... else arguments
    wrong.__annotations__ = {}
    if annotation is not None:
        wrong.__annotations__["given"] = annotation
    if returns is not None:
        wrong.__annotations__["return"] = returns
    return component(wrong)


@pytest.mark.parametrize(
    ("annotation", "complaint"),
    [
        (None, "must have all arguments annotated with typehints: 'wrong' says nothing of 'given'"),
        (Examples, "should indicate whether it is used as an input or output artifact"),
        (InputArtifact, "Unknown type hint annotation for argument 'given' on function"),
        (list, "Unknown type hint annotation for argument 'given' on function"),
        (dict[int, int], "Unknown type hint annotation for argument 'given' on function"),
        (int | str, "Unknown type hint annotation for argument 'given' on function"),
        (AsyncOutputArtifact[Model], "AsyncOutputArtifact cannot be used for argument 'given'"),
        ("InputArtifact[Exampels]", "'InputArtifact[Exampels]' of its argument 'given' cannot be"),
        ("InputArtifact[", "'InputArtifact[' of its argument 'given' cannot be read"),
        ("InputArtifact[int]", "a List of `tfx.types.Artifact` (got <class 'int'> instead)"),
    ],
)
def test_a_wrong_annotation_names_the_function_and_the_argument(annotation, complaint):
    with pytest.raises(ValueError) as raised:
        declare(annotation)
    assert "wrong" in str(raised.value)
    assert complaint in str(raised.value)


@pytest.mark.parametrize(
    ("word", "kind", "complaint"),
    [
        (InputArtifact, int, "to be a concrete subclass of `tfx.types.Artifact` or a List of"),
        (InputArtifact, list[int], "to be a concrete subclass of `tfx.types.Artifact` or a List"),
        (InputArtifact, Artifact, "to be a concrete subclass of `tfx.types.Artifact`"),
        (OutputArtifact, str, "to be a concrete subclass of `tfx.types.Artifact`"),
        (Parameter, set, "T to be `int`, `float`, `str`, `bool`"),
        (Parameter, Examples, "T to be `int`, `float`, `str`, `bool`"),
        (Parameter, dict[int, str], "T to be `int`, `float`, `str`, `bool`"),
        (BeamComponentParameter, Pipeline, "T to be `beam.Pipeline`"),
    ],
)
def test_an_annotation_takes_only_types_of_its_kind(word, kind, complaint):
    with pytest.raises(ValueError) as raised:
        word[kind]
    assert f"`{word.__name__}[T]`" in str(raised.value)
    assert complaint in str(raised.value)
    with pytest.raises(ValueError, match="should be instantiated via the syntax"):
        word(kind)


@pytest.mark.parametrize(
    ("returns", "complaint"),
    [
        (int, "Return type annotation of @component wrong should be TypedDict or None."),
        (dict[str, int], "Return type annotation of @component wrong should be TypedDict or None."),
        (OutputDict(out=Model), "output artifact 'out' should be declared as a function parameter"),
        (OutputDict(out=set), "Unknown type hint annotation <class 'set'> for returned output 'ou"),
        (OutputDict(given=int), "has both an argument and a result 'given'"),
        ("OutputDict(out=integer)", "'OutputDict(out=integer)' of its result cannot be read"),
    ],
)
def test_a_wrong_result_names_the_function_and_the_result(returns, complaint):
    with pytest.raises(ValueError) as raised:
        declare(int, returns)
    assert "wrong" in str(raised.value)
    assert complaint in str(raised.value)


@pytest.mark.parametrize(
    ("kind", "default"), [(int, "5"), (float, "x"), (str, 5), (list[str], [1]), (bool, 0)]
)
def test_the_default_of_a_parameter_must_be_of_its_type(kind, default):
    with pytest.raises(ValueError, match="for optional parameter given on function must be an ins"):
        declare(Parameter[kind], default=default)


def test_the_default_of_an_input_must_be_of_its_type():
    with pytest.raises(ValueError, match="for optional input value 'given' on function .* must be"):
        declare(int, default="abc")
    with pytest.raises(ValueError, match="its default value must be `None`"):
        declare(InputArtifact[Examples], default=5)
    with pytest.raises(ValueError, match="cannot be declared as optional"):
        declare(OutputArtifact[Examples], default=None)


def test_star_arguments_are_refused():
    with pytest.raises(ValueError, match=r"not support \*args or \*\*kwargs arguments.*'rest'"):

        @component
        def wrong(*rest: int):
            pass

    with pytest.raises(ValueError, match=r"not support \*args or \*\*kwargs arguments.*'more'"):

        @component
        def wrong(**more: int):
            pass


@pytest.mark.parametrize("thing", [5, Examples, len])
def test_only_a_function_can_be_decorated(thing):
    with pytest.raises(ValueError, match="Expected a typehint-annotated Python function"):
        component(thing)


# FunctionExecutor, by hand.


@component
def summarize(
    examples: InputArtifact[Examples],
    models: InputArtifact[list[Model]],
    number: int,
    out: OutputArtifact[Model],
    steps: Parameter[int] = 7,
) -> OutputDict(text=str, maybe=Optional[int]):  # noqa: UP045  as TFX users write it
    out.set_int_custom_property("steps", steps)
    return {"text": f"{examples.uri} {len(models)} {number}"}


def artifact(artifact_type, uri="", value=...):
    made = artifact_type()
    made.uri = str(uri)
    if value is not ...:
        made.write(value)
    return made


def call(decorated, tmp_path, inputs, properties, **output_types):
    outputs = {
        key: [artifact(kind, tmp_path / key / "value")] for key, kind in output_types.items()
    }
    executor_of(decorated)().Do(inputs, outputs, properties)
    return outputs


def call_returning(returned, tmp_path):
    @component
    def give() -> OutputDict(text=str, maybe=int | None):
        return returned

    return call(give, tmp_path, {}, {}, text=String, maybe=Integer)


def test_the_function_gets_artifacts_values_and_its_own_defaults(tmp_path):
    inputs = {
        "examples": [artifact(Examples, "/data")],
        "models": [artifact(Model), artifact(Model)],
        "number": [artifact(Integer, tmp_path / "number" / "value", 42)],
    }
    outputs = call(summarize, tmp_path, inputs, {}, out=Model, text=String, maybe=Integer)
    assert outputs["text"][0].read() == "/data 2 42"
    assert outputs["maybe"][0].read() is None
    assert outputs["out"][0].get_int_custom_property("steps") == 7

    outputs = call(summarize, tmp_path, inputs, {"steps": 9}, out=Model, text=String, maybe=Integer)
    assert outputs["out"][0].get_int_custom_property("steps") == 9


def test_values_of_every_type_go_from_function_to_function(tmp_path):
    @component
    def give() -> OutputDict(number=int, text=str, ratio=float, flag=bool, raw=bytes, table=dict):
        return {
            "number": -3,
            "text": "ä",
            "ratio": 0.1,
            "flag": False,
            "raw": b"\0",
            "table": {"rows": [1, None]},
        }

    @component
    def take(
        number: int,
        text: str,
        ratio: float,
        flag: bool,
        raw: bytes,
        table: InputArtifact[JsonValue],
    ) -> OutputDict(seen=str):
        return {"seen": repr((number, text, ratio, flag, raw, table.read()))}

    kinds = {key: channel.type for key, channel in give().outputs.items()}
    given = call(give, tmp_path, {}, {}, **kinds)
    # What a node reads is another object than what the node before it wrote.
    read = {key: [artifact(kinds[key], given[key][0].uri)] for key in given}
    outputs = call(take, tmp_path, read, {}, seen=String)
    assert outputs["seen"][0].read() == repr((-3, "ä", 0.1, False, b"\0", {"rows": [1, None]}))


def test_two_artifacts_for_an_argument_that_takes_one_are_refused(tmp_path):
    inputs = {"examples": [artifact(Examples), artifact(Examples)]}
    with pytest.raises(ValueError) as raised:
        call(summarize, tmp_path, inputs, {}, out=Model)
    assert "Expected input 'examples' to" in str(raised.value)
    assert "takes one artifact, its channel holds 2" in str(raised.value)
    assert "InputArtifact[list[...]]" in str(raised.value)


def test_an_optional_argument_without_a_default_is_none_if_nothing_is_there(tmp_path):
    @component
    def show(
        number: int | None,
        model: InputArtifact[Model | None],
        steps: Parameter[int | None],
        rate: float | None = 0.5,
    ) -> OutputDict(text=str):
        return {"text": f"{number} {model} {steps} {rate}"}

    assert show().exec_properties == {}
    outputs = call(show, tmp_path, {"number": []}, {}, text=String)
    assert outputs["text"][0].read() == "None None None 0.5"


@pytest.mark.parametrize(
    ("returned", "complaint"),
    [
        (None, "Did not receive expected output 'text' as return value from component executor"),
        (("a", 1), "'give' to return a dict of outputs (got ('a', 1) instead)"),
        ({}, "Did not receive expected output 'text' as return value from component executor"),
        ({"text": None}, "Non-nullable output 'text' received None return value from component"),
    ],
)
def test_a_wrong_return_names_the_function_and_the_result(tmp_path, returned, complaint):
    with pytest.raises(ValueError) as raised:
        call_returning(returned, tmp_path)
    assert complaint in str(raised.value)


def test_a_returned_value_that_is_not_declared_is_told_of_and_not_kept(tmp_path, caplog):
    outputs = call_returning({"text": "a", "txt": "b"}, tmp_path)
    assert outputs["text"][0].read() == "a"
    assert "'give' returned 'txt', which it does not declare as an output" in caplog.text


def test_returned_json_must_be_as_declared(tmp_path):
    @component
    def give(number: Parameter[float]) -> OutputDict(table=dict[str, list[float]]):
        return {"table": {"a": [number]}}

    outputs = call(give, tmp_path, {}, {"number": 0.5}, table=JsonValue)
    assert outputs["table"][0].read() == {"a": [0.5]}
    with pytest.raises(TypeError, match="for output 'table' is incompatible with output type dict"):
        call(give, tmp_path, {}, {"number": 1}, table=JsonValue)


def test_json_values_are_read_for_the_function(tmp_path):
    @component
    def take(
        table: dict[str, list[int]], rows: list[str] | None, names: list[str] | None = None
    ) -> OutputDict(seen=str):
        return {"seen": f"{table} {rows} {names}"}

    written = artifact(JsonValue, tmp_path / "in" / "value", {"a": [1]})
    outputs = call(take, tmp_path, {"table": [written]}, {}, seen=String)
    assert outputs["seen"][0].read() == "{'a': [1]} None None"


def test_a_function_may_get_a_beam_pipeline():
    beam = pytest.importorskip("apache_beam")

    @component(use_beam=True)
    def work(
        steps: Parameter[int], pipeline: BeamComponentParameter[beam.Pipeline] = None
    ) -> OutputDict(flags=str):
        seen = pipeline.options.view_as(beam.options.pipeline_options.DirectOptions)
        return {"flags": f"{seen.direct_num_workers} {steps}"}

    node = work(steps=3).with_beam_pipeline_args(["--direct_num_workers=2"])
    assert isinstance(node, BaseBeamComponent)
    assert node.exec_properties == {"steps": 3}
    executor_class = executor_of(work)
    context = executor_class.Context(beam_pipeline_args=node.beam_pipeline_args)
    flags = String()
    flags.write = flags.__dict__.setdefault("written", []).append
    executor_class(context).Do({}, {"flags": [flags]}, {"steps": 3})
    assert flags.written == ["2 3"]


def test_use_beam_needs_exactly_one_beam_pipeline():
    with pytest.raises(ValueError, match="must have one and only one optional parameter of type"):

        @component(use_beam=True)
        def wrong(steps: Parameter[int]):
            pass

    @component
    def plain(steps: Parameter[int]):
        pass

    with pytest.raises(TypeError, match="which gets no Beam flags"):
        plain(steps=1).with_beam_pipeline_args(["--direct_num_workers=2"])


def test_a_returned_value_of_the_wrong_type_is_refused(tmp_path):
    with pytest.raises(TypeError, match="Expecting int but got value b of type <class 'str'>"):
        call_returning({"text": "a", "maybe": "b"}, tmp_path)


def test_what_a_function_without_results_returns_is_ignored(tmp_path):
    @component
    def chatty(steps: Parameter[int]):
        return {"anything": steps}

    assert call(chatty, tmp_path, {}, {"steps": 1}) == {}


def test_numpy_scalars_count_as_values_and_a_wrong_one_is_named(tmp_path):
    import numpy as np

    def run(value):
        @component
        def work() -> OutputDict(out=int):
            return {"out": value}

        artifact = Integer()
        artifact.uri = str(tmp_path / "value")
        executor_of(work)().Do({}, {"out": [artifact]}, {})
        return artifact.read()

    assert run(np.int64(3)) == 3
    with pytest.raises(TypeError, match="for output 'out' is incompatible .*'work' returned it"):
        run("three")
