"""Placeholders: how they read, what they resolve to, and what is refused."""

from __future__ import annotations

import copy

import pytest

from trainwright.types.artifact import Artifact, Property, PropertyType
from trainwright.types.channel import Channel, OutputChannel, union
from trainwright.types.placeholders.channel_placeholder import check_values_exist
from trainwright.types.placeholders.placeholder import (
    KnownValues,
    Predicate,
    logical_and,
    logical_not,
    logical_or,
)
from trainwright.types.placeholders.placeholder_operators import join
from trainwright.types.standard_artifacts import (
    Boolean,
    Bytes,
    Examples,
    Float,
    Integer,
    JsonValue,
    ModelBlessing,
    String,
)


class Producer:
    id = "Maker"
    outputs: dict[str, OutputChannel] = {}


class Scored(Artifact):
    TYPE_NAME = "Scored"
    PROPERTIES = {
        "score": Property(type=PropertyType.FLOAT),
        "label": Property(type=PropertyType.STRING),
    }


def channel_of(artifact_type, key="x"):
    return OutputChannel(artifact_type, Producer(), key)


@pytest.fixture
def holding(tmp_path):
    """Makes a finder of artifacts, and a channel that holds value artifacts."""

    def make(artifact_type, *values):
        artifacts = []
        for number, value in enumerate(values):
            artifact = artifact_type()
            artifact.uri = str(tmp_path / str(number) / "value")
            artifact.write(value)
            artifacts.append(copy.copy(artifact))
            artifacts[-1]._has_value = False
        return channel_of(artifact_type), KnownValues(lambda channel: artifacts)

    return make


def blessing(**custom_properties):
    artifact = ModelBlessing()
    artifact.uri = "/blessings/1"
    artifact.custom_properties.update(custom_properties)
    return KnownValues(lambda channel: [artifact])


BLESSED = channel_of(ModelBlessing, "blessing").future()[0].custom_property("blessed")


@pytest.mark.parametrize(
    ("artifact_type", "value"),
    [
        (String, "ä b"),
        (Integer, -3),
        (Float, 0.25),
        (Boolean, True),
        (Bytes, b"\x00x"),
        (JsonValue, {"a": [1, None]}),
        (Integer, None),
    ],
)
def test_the_value_of_a_value_artifact(holding, artifact_type, value):
    channel, find = holding(artifact_type, value)
    assert channel.future()[0].value.resolve(find) == value
    assert channel.future().value.resolve(find) == value, "without an index the first is meant"


def test_parts_of_a_json_value(holding):
    channel, find = holding(JsonValue, {"metrics": [{"auc": 0.9}, 2]})
    value = channel.future()[0].value
    assert value["metrics"][0]["auc"].resolve(find) == 0.9
    assert value["metrics"][-1].resolve(find) == 2
    assert str(value["metrics"][0]["auc"]) == "Maker.outputs['x'][0].value['metrics'][0]['auc']"
    for part, found in [
        (value["other"], r"value\['other'\] is not there: the keys of .*value are metrics\."),
        (value["metrics"][2], r"the length of .*value\['metrics'\] is 2\."),
        (value["metrics"][1]["a"], r"value\['metrics'\]\[1\] is 2 \(int\)\."),
        (value[0], r"value is \{.*\} \(dict\)\."),
    ]:
        with pytest.raises(ValueError, match=found):
            part.resolve(find)


def test_the_uri_and_the_properties():
    artifact = Scored()
    artifact.uri = "/scored/1"
    artifact.score = 0.5
    artifact.set_string_custom_property("by", "me")
    one = channel_of(Scored).future()[0]
    for placeholder, value in [
        (one.uri, "/scored/1"),
        (one.property("score"), 0.5),
        (one.property("label"), ""),
        (one.custom_property("by"), "me"),
        (one.custom_property("other"), None),
    ]:
        assert placeholder.resolve(KnownValues(lambda channel: [artifact])) == value


def test_the_uri_of_a_split():
    artifact = Examples()
    artifact.uri = "/examples/1"
    artifact.splits = ["train", "eval"]
    placeholder = channel_of(Examples).future()[0].split_uri("eval")
    assert placeholder.resolve(KnownValues(lambda channel: [artifact])) == "/examples/1/Split-eval"


def test_any_channel_has_a_future(holding):
    channel, find = holding(Integer, 1, 2)
    assert union([channel]).future()[1].value.resolve(find) == 2
    assert str(union([channel]).future()[1].uri) == "union([Maker.outputs['x']])[1].uri"
    assert str(channel.as_optional().future().uri) == "Maker.outputs['x'][0].uri"
    assert list(Channel(type=Integer).future().channels())[0].type is Integer


def test_texts_are_added(holding):
    channel, find = holding(String, "b")
    value = channel.future()[0].value
    assert ("a/" + value + "/c").resolve(find) == "a/b/c"
    assert join(["a", value, "c"], "-").resolve(find) == "a-b-c"
    assert join(["a", "c"], "-") == "a-c"
    assert str("a/" + value) == "'a/' + Maker.outputs['x'][0].value"
    with pytest.raises(TypeError, match="can be added, not 3"):
        value + 3
    unset = channel_of(ModelBlessing).future()[0].custom_property("who")
    with pytest.raises(ValueError, match="who.* is not set, so nothing can be added"):
        ("by " + unset).resolve(blessing())


@pytest.mark.parametrize(
    ("predicate", "holds", "text"),
    [
        (BLESSED == 1, True, "== 1"),
        (BLESSED != 1, False, "!= 1"),
        (BLESSED > 0, True, "> 0"),
        (BLESSED >= 1.0, True, ">= 1.0"),
        (BLESSED < 1, False, "< 1"),
        (BLESSED <= 1, True, "<= 1"),
        (1 == BLESSED, True, "== 1"),  # noqa: SIM300
        (2 < BLESSED, False, "> 2"),  # noqa: SIM300
        (BLESSED == True, True, "== True"),  # noqa: E712
    ],
)
def test_comparisons(predicate, holds, text):
    assert isinstance(predicate, Predicate)
    assert predicate.evaluate(blessing(blessed=1)).holds is holds
    assert str(predicate) == f"Maker.outputs['blessing'][0].custom_property('blessed') {text}"


def test_two_placeholders_are_compared(holding):
    channel, find = holding(Float, 0.5, 0.7)
    better = channel.future()[1].value > channel.future()[0].value
    assert better.evaluate(find).holds
    worse = channel.future()[0].value > channel.future()[1].value
    assert worse.describe_failure(worse.evaluate(find)) == (
        "Maker.outputs['x'][0].value > Maker.outputs['x'][1].value does not hold "
        "(Maker.outputs['x'][0].value is 0.5, Maker.outputs['x'][1].value is 0.7)"
    )


def test_what_is_not_set_is_unequal_to_everything():
    verdict = (BLESSED == 1).evaluate(blessing())
    assert not verdict.holds
    assert (BLESSED == 1).describe_failure(verdict).endswith("== 1 does not hold (it is not set)")
    assert (BLESSED != 1).evaluate(blessing()).holds
    with pytest.raises(ValueError, match="is not set: what is not set is neither less nor greater"):
        (BLESSED > 0).evaluate(blessing())


@pytest.mark.parametrize("predicate", [BLESSED == 1, BLESSED != 1, BLESSED < 1])
def test_what_cannot_be_compared_is_an_error(predicate):
    with pytest.raises(ValueError, match=r"is 'yes' \(str\): 'yes' and 1 cannot be compared"):
        predicate.evaluate(blessing(blessed="yes"))


def test_a_list_has_no_order(holding):
    channel, find = holding(JsonValue, [1], [2])
    first, second = channel.future()[0].value, channel.future()[1].value
    assert (first == first).evaluate(find).holds
    with pytest.raises(ValueError, match="a list is neither less nor greater"):
        (first < second).evaluate(find)


def test_not_a_number_is_not_good_enough(holding):
    channel, find = holding(Float, float("nan"))
    assert not (channel.future().value >= 0.9).evaluate(find).holds


def test_predicates_are_combined():
    is_blessed, is_new = BLESSED == 1, channel_of(ModelBlessing).future().custom_property("age") < 3
    both, either = logical_and(is_blessed, is_new), logical_or(is_blessed, is_new)
    for blessed in (0, 1):
        for age in (1, 5):
            find = blessing(blessed=blessed, age=age)
            assert both.evaluate(find).holds is (blessed == 1 and age < 3)
            assert either.evaluate(find).holds is (blessed == 1 or age < 3)
            assert logical_not(both).evaluate(find).holds is not (blessed == 1 and age < 3)
    assert str(logical_or(both, logical_not(is_new))) == (
        f"({is_blessed} and {is_new}) or not ({is_new})"
    )
    assert both.describe_failure(both.evaluate(blessing(blessed=1, age=5))).endswith(
        "does not hold (Maker.outputs['x'][0].custom_property('age') is 5)"
    )


def test_the_second_predicate_is_asked_only_if_it_counts():
    unset = BLESSED > 0
    is_there = channel_of(ModelBlessing).future().custom_property("there") == 1
    assert not logical_and(is_there, unset).evaluate(blessing(there=0)).holds
    assert logical_or(is_there, unset).evaluate(blessing(there=1)).holds
    with pytest.raises(ValueError, match="is not set"):
        logical_and(is_there, unset).evaluate(blessing(there=1))


def test_an_artifact_that_is_not_there():
    with pytest.raises(ValueError, match=r"\[0\] is not there: .* holds no artifact\."):
        BLESSED.resolve(KnownValues(lambda channel: []))
    third = channel_of(ModelBlessing).future()[2].uri
    with pytest.raises(ValueError, match=r"\[2\] is not there: .* holds only 1 artifact\."):
        third.resolve(blessing())


def test_a_value_that_cannot_be_read(holding, tmp_path):
    channel, find = holding(Integer, 1)
    (tmp_path / "0" / "value").write_text("many")
    with pytest.raises(ValueError, match=r"cannot be read: .*value holds no Integer"):
        channel.future().value.resolve(find)
    (tmp_path / "0" / "value").unlink()
    with pytest.raises(ValueError, match=r"does not exist .* Run Maker again"):
        channel.future().value.resolve(find)


@pytest.mark.parametrize(
    "use",
    [
        lambda one: bool(one),
        lambda one: bool(one == 1),
        lambda one: (one == 1) and (one == 2),
        lambda one: not (one > 1),
        lambda one: 0 < one < 1,
        lambda one: one in [1],
    ],
)
def test_python_cannot_ask_whether_it_is_true(use):
    with pytest.raises(TypeError, match=r"Use `with Cond\(...\):`.* logical_and, logical_or"):
        use(BLESSED)


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda: channel_of(ModelBlessing).future() == 1, "is an artifact, which cannot be comp"),
        (lambda: channel_of(Integer).future()["a"], r"have numbers, got \['a'\]"),
        (lambda: channel_of(JsonValue).future()[0]["a"], r"its value has parts: .*\.value\['a'\]"),
        (lambda: channel_of(Integer).future()[0].value[0], "is of type int, which has no part"),
        (lambda: channel_of(Integer).future()[0].value == "1", "would compare int with str"),
        (lambda: channel_of(Scored).future()[0].property("label") > 3, "compare str with int"),
        (lambda: BLESSED == None, "a bool or another placeholder, not with None"),  # noqa: E711
        (lambda: BLESSED == [1], r"not with \[1\]"),
        (lambda: logical_not(BLESSED), "logical_not takes predicates"),
        (lambda: logical_and(BLESSED == 1, True), "logical_and takes predicates .* got True"),
    ],
)
def test_what_is_refused_at_once(declare, message):
    with pytest.raises(TypeError, match=message):
        declare()


def test_the_value_of_an_artifact_without_one():
    with pytest.raises(ValueError, match="is of type ModelBlessing, which has no value"):
        check_values_exist(channel_of(ModelBlessing).future()[0].value == 1)


def test_what_is_refused_as_tfx_refuses_it():
    with pytest.raises(RuntimeError, match="Iterating over a placeholder is not supported"):
        list(BLESSED)
    with pytest.raises(NotImplementedError, match="is a predicate: nothing can be added"):
        (BLESSED == 1) + "a"


def test_a_property_that_the_type_does_not_declare():
    with pytest.raises(ValueError, match=r"declares no property 'scor'; did you mean 'score'\?"):
        channel_of(Scored).future()[0].property("scor")


def test_a_copy_is_the_same_placeholder():
    assert copy.deepcopy({"a": BLESSED})["a"] is BLESSED
    assert len({BLESSED, BLESSED}) == 1
