"""JSON of custom_config: equal values give equal text, and text gives the value back."""

import json
import math
import re
import sys
import types

import pytest

from trainwright._deprecation import deprecated_alias
from trainwright.proto import trainer_pb2
from trainwright.types import json_utils
from trainwright.types.artifact import Artifact
from trainwright.types.json_utils import Jsonable
from trainwright.types.standard_artifacts import Examples, JsonValue


class Schedule(Jsonable):
    def __init__(self, rate, args):
        self.rate = rate
        self.args = args


class Point(Jsonable):
    def __init__(self, x):
        self.x = x

    def to_json_dict(self):
        return {"only": self.x}

    @classmethod
    def from_json_dict(cls, dict_data):
        return cls(dict_data["only"])


class Plain:
    pass


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    """The classes above are found again by the name of their module."""
    module = types.ModuleType("json_utils_classes")
    for cls in (Schedule, Point, Plain):
        monkeypatch.setattr(cls, "__module__", module.__name__)
        setattr(module, cls.__name__, cls)
    monkeypatch.setitem(sys.modules, module.__name__, module)


@pytest.mark.parametrize(
    "value",
    [None, True, 5, 0.1, math.inf, "text", [], [1, [None]], {"a": {"b": []}, "": 0}],
)
def test_plain_values_come_back(value):
    assert json_utils.loads(json_utils.dumps(value)) == value


def test_keys_are_sorted_so_that_equal_values_give_equal_text():
    assert json_utils.dumps({"b": 1, "a": {"d": 2, "c": 3}}) == (
        json_utils.dumps({"a": {"c": 3, "d": 2}, "b": 1})
    )
    assert json_utils.dumps({"b": 1, "a": None}) == '{"a": null, "b": 1}'


def test_a_proto_comes_back_and_is_written_as_tfx_writes_it():
    args = trainer_pb2.TrainArgs(num_steps=5, splits=["a"])
    text = json_utils.dumps({"args": args})
    assert json_utils.loads(text) == {"args": args}
    written = json.loads(text)["args"]
    assert written["__tfx_object_type__"] == "proto"
    assert written["__class__"] == "TrainArgs"
    assert json.loads(written["__proto_value__"]) == {"num_steps": 5, "splits": ["a"]}


def test_a_class_comes_back_as_itself():
    text = json_utils.dumps([Plain])
    assert json_utils.loads(text) == [Plain]
    assert json.loads(text) == [
        {"__class__": "Plain", "__module__": "json_utils_classes", "__tfx_object_type__": "class"}
    ]


def test_a_jsonable_comes_back_with_what_is_nested_in_it():
    schedule = Schedule(rate=0.1, args=trainer_pb2.TrainArgs(num_steps=5))
    back = json_utils.loads(json_utils.dumps({"schedule": schedule}))["schedule"]
    assert type(back) is Schedule
    assert back.rate == 0.1
    assert back.args == trainer_pb2.TrainArgs(num_steps=5)


def test_a_jsonable_may_choose_its_own_form():
    back = json_utils.loads(json_utils.dumps(Point(3)))
    assert type(back) is Point
    assert back.x == 3


@pytest.mark.parametrize("value", [{1, 2}, object(), b"bytes", Plain()])
def test_what_json_cannot_hold_is_refused(value):
    with pytest.raises(TypeError, match="not JSON serializable"):
        json_utils.dumps({"value": value})


def described(object_type, module, name):
    return json.dumps(
        {
            "__tfx_object_type__": object_type,
            "__module__": module,
            "__class__": name,
            "__proto_value__": "{}",
        }
    )


@pytest.mark.parametrize(
    "text",
    [
        described("jsonable", "os", "system"),
        described("class", "os", "system"),
        described("jsonable", "json_utils_classes", "Plain"),
        described("proto", "json_utils_classes", "Plain"),
        described("spell", "json_utils_classes", "Schedule"),
    ],
)
def test_text_cannot_rebuild_anything_else(text):
    with pytest.raises(ValueError, match="Cannot rebuild"):
        json_utils.loads(text)


def test_a_message_is_written_under_the_module_that_tfx_writes_and_read_from_there():
    text = json_utils.dumps(trainer_pb2.TrainArgs(num_steps=5))
    assert json.loads(text)["__module__"] == "tfx.proto.trainer_pb2"
    ours = text.replace("tfx.proto", "trainwright.proto")
    assert json_utils.loads(ours) == trainer_pb2.TrainArgs(num_steps=5)


def test_a_message_without_its_value_is_refused():
    text = json_utils.dumps(trainer_pb2.TrainArgs()).replace("__proto_value__", "value")
    with pytest.raises(ValueError, match="Missing proto value in json dict"):
        json_utils.loads(text)


def test_a_deprecated_name_of_a_class_is_written_as_the_class():
    assert json_utils.loads(json_utils.dumps(deprecated_alias("Old", "Plain", Plain))) is Plain


class RuntimeParameter(Jsonable):
    def __init__(self, name, ptype):
        self.name = name
        self.ptype = ptype

    def to_json_dict(self):
        return {"name": self.name}


def test_a_runtime_parameter_for_a_string_is_written_as_a_string():
    written = json.loads(json_utils.dumps({"path": RuntimeParameter("where", str)}))["path"]
    assert re.fullmatch(json_utils.RUNTIME_PARAMETER_PATTERN, written)
    assert json.loads(written)["name"] == "where"
    # By itself it is not quoted a second time.
    assert json_utils.dumps(RuntimeParameter("where", str)) == written


def test_a_runtime_parameter_for_a_number_is_written_as_an_object():
    written = json.loads(json_utils.dumps({"steps": RuntimeParameter("steps", int)}))["steps"]
    assert written["__class__"] == "RuntimeParameter"
    assert written["name"] == "steps"


@pytest.fixture
def unknown_module(tmp_path, monkeypatch):
    """A module that could be imported, and leaves a trace if it is."""
    (tmp_path / "a_trap.py").write_text(
        "import pathlib\n"
        "from trainwright.types.artifact import Artifact\n"
        "pathlib.Path(__file__).with_name('sprung').touch()\n"
        "class Trap(Artifact): TYPE_NAME = 'Trap'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / "sprung"
    sys.modules.pop("a_trap", None)


@pytest.mark.parametrize("object_type", ["class", "proto", "jsonable", "spell"])
def test_reading_an_artifact_runs_no_module(unknown_module, object_type, tmp_path):
    value = JsonValue()
    value.uri = str(tmp_path / "value")
    (tmp_path / "value").write_text(described(object_type, "a_trap", "Trap"))
    with pytest.raises(ValueError, match="import a_trap before"):
        value.read()
    assert not unknown_module.exists()


def test_reading_an_artifact_runs_no_module_by_the_class_of_an_artifact_in_it(unknown_module):
    trap = Examples().to_json_dict()
    trap.update(__artifact_class_module__="a_trap", __artifact_class_name__="Trap")
    text = json.loads(described("jsonable", "trainwright.types.artifact", "Artifact"))
    found = JsonValue().decode(json.dumps({**text, **trap}))
    assert type(found) is Artifact
    assert not unknown_module.exists()


def test_reading_an_artifact_runs_no_module_of_a_checkout(tmp_path, monkeypatch):
    (tmp_path / "tfx" / "types").mkdir(parents=True)
    (tmp_path / "tfx" / "types" / "a_trap_test.py").write_text("class Trap: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="not imported here"):
        JsonValue().decode(described("class", "tfx.types.a_trap_test", "Trap"))


def test_an_artifact_may_hold_objects_of_modules_that_are_imported():
    value = JsonValue()
    assert value.decode(value.encode({"a": Point(3)}))["a"].x == Point(3).x
    message = trainer_pb2.TrainArgs(num_steps=5)
    assert value.decode(value.encode([message, Examples])) == [message, Examples]


@pytest.mark.parametrize("names", [{}, {"__module__": 5, "__class__": []}])
def test_text_that_names_no_class_is_refused(names):
    with pytest.raises(ValueError, match="must be strings"):
        json_utils.loads(json.dumps({"__tfx_object_type__": "class", **names}))
