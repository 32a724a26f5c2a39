"""Filter queries: what ml-metadata 1.17 finds with the same records and the same words."""

import pytest

import ml_metadata as mlmd
from ml_metadata import errors
from ml_metadata.proto import metadata_store_pb2 as pb


@pytest.fixture
def records(store):
    model = store.put_artifact_type(
        pb.ArtifactType(name="A", properties={"i": pb.INT, "s": pb.STRING})
    )
    train = store.put_execution_type(pb.ExecutionType(name="E"))
    first = store.put_context_type(pb.ContextType(name="C"))
    second = store.put_context_type(pb.ContextType(name="D"))
    one = pb.Artifact(type_id=model, uri="u1", name="a1", state=pb.Artifact.LIVE)
    one.properties["i"].int_value = 1
    one.properties["s"].string_value = "it's"
    two = pb.Artifact(type_id=model, uri="u2", state=pb.Artifact.ABANDONED)
    two.properties["i"].int_value = 2
    two.custom_properties["x y"].string_value = "z"
    two.custom_properties["d"].double_value = 0.5
    store.put_artifacts([one, two, pb.Artifact(type_id=model, uri="v3", external_id="e3")])
    complete, failed = pb.Execution.COMPLETE, pb.Execution.FAILED
    store.put_executions(
        [pb.Execution(type_id=train, last_known_state=state) for state in (complete, failed)]
    )
    context = pb.Context(type_id=first, name="c1")
    context.custom_properties["k"].int_value = 7
    store.put_contexts(
        [context, pb.Context(type_id=first, name="c2"), pb.Context(type_id=second, name="d1")]
    )
    store.put_attributions_and_associations(
        [pb.Attribution(artifact_id=a, context_id=c) for a, c in [(1, 1), (1, 3), (2, 2)]],
        [pb.Association(execution_id=e, context_id=1) for e in (1, 2)],
    )
    store.put_events(
        [
            pb.Event(artifact_id=1, execution_id=1, type=pb.Event.OUTPUT),
            pb.Event(artifact_id=1, execution_id=2, type=pb.Event.INPUT),
            pb.Event(artifact_id=2, execution_id=2, type=pb.Event.OUTPUT),
        ]
    )
    store.put_parent_contexts([pb.ParentContext(child_id=1, parent_id=3)])
    return store


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("uri = 'u1'", [1]),
        ("URI='u1' OR uri = \"u2\"", [1, 2]),
        ("NOT uri LIKE 'u%'", [3]),
        ("uri NOT LIKE 'u%'", [3]),
        ("type = 'A' AND name IS NULL", [2, 3]),
        ("state = LIVE", [1]),
        ("state IN (LIVE, ABANDONED)", [1, 2]),
        # One that was never set differs as well, but is not the opposite of one that is equal.
        ("state != LIVE", [2, 3]),
        ("NOT (state = LIVE)", [2]),
        ("id IN (1, 3)", [1, 3]),
        ("id NOT IN (1)", [2, 3]),
        ("id BETWEEN 2 AND 3 and id <> 3", [2]),
        ("id = 1 + 1", [2]),
        ("external_id = 'e3'", [3]),
        ("properties.i.int_value > 0", [1, 2]),
        ("properties.i.int_value IS NULL", []),
        ("properties.s.string_value = 'it\\'s'", [1]),
        ("custom_properties.`x y`.string_value = 'z'", [2]),
        ("custom_properties.d.double_value >= 0.5", [2]),
        ("contexts_a.name = 'c1'", [1]),
        ("contexts_a.name = 'c1' AND contexts_b.type = 'D'", [1]),
        ("contexts_a.name = 'c1' AND contexts_a.type = 'D'", []),
        ("contexts_a.name = 'c2' OR uri = 'v3'", [2]),
        ("events_0.type = OUTPUT", [1, 2]),
        ("events_0.execution_id = 2 AND events_0.type = INPUT", [1]),
        ("LOWER(uri) = 'u1' -- the first", [1]),
        ("TRUE", [1, 2, 3]),
        ("", [1, 2, 3]),
    ],
)
def test_artifacts(records, query, expected):
    found = records.get_artifacts(mlmd.ListOptions(filter_query=query))
    assert [one.id for one in found] == expected


def test_executions_and_contexts(records):
    def ids(get, query):
        return [one.id for one in get(mlmd.ListOptions(filter_query=query))]

    failed = "contexts_0.name = 'c1' AND last_known_state = FAILED"
    assert ids(records.get_executions, failed) == [2]
    assert ids(records.get_executions, "events_0.artifact_id = 1") == [1, 2]
    assert ids(records.get_contexts, "parent_contexts_0.name = 'd1'") == [1]
    assert ids(records.get_contexts, "child_contexts_0.id = 1") == [3]
    assert ids(records.get_contexts, "custom_properties.k.int_value = 7") == [1]
    assert ids(records.get_contexts, "executions_0.last_known_state = COMPLETE") == [1]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("invalid syntax", "Unrecognized name: invalid"),
        ("uri", "is not a valid boolean expression: uri"),
        ("uri = ", "Unexpected end of expression"),
        ("(uri = 'u1'", r"Expected '\)' but got end of expression"),
        ("uri = 'u1';", "Illegal input character ';' .at 1:11"),
        ("uri = 'u1' uri", "Expected end of input but got name 'uri'"),
        ("uri = 3", "No matching signature"),
        ("state = LIVEE", "Unsupported enum value specified in the query: LIVEE; expected one of"),
        ("last_known_state = COMPLETE", "Unrecognized name: last_known_state"),
        ("contexts_a.uri = 'x'", "Field name uri does not exist in contexts_a"),
        ("properties.i = 1", "expected properties.NAME and one of int_value"),
        ("(" * 5000 + "id = 1" + ")" * 5000, "nested too deeply"),
        ("id = " + "9" * 30, "Invalid integer literal: 999"),
        ("id = " + "9" * 5000, "Invalid integer literal: 999"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(records, query, words):
    with pytest.raises(errors.InvalidArgumentError, match=words):
        records.get_artifacts(mlmd.ListOptions(filter_query=query))


def test_a_query_may_have_thousands_of_conditions(records):
    wanted = " OR ".join(f"id = {number}" for number in range(2, 5000))
    others = " AND ".join(f"id != {number}" for number in range(2, 5000))
    for query, expected in [(wanted, [2, 3]), (others, [1])]:
        found = records.get_artifacts(mlmd.ListOptions(filter_query=query))
        assert sorted(one.id for one in found) == expected


def test_values_never_become_statements(records):
    query = 'uri = "x\' OR 1 = 1; DROP TABLE Artifact; --"'
    assert records.get_artifacts(mlmd.ListOptions(filter_query=query)) == []
    name = "custom_properties.`x') OR (1=1`.int_value = 1"
    assert records.get_artifacts(mlmd.ListOptions(filter_query=name)) == []
    assert len(records.get_artifacts()) == 3


def test_order_and_limit(records):
    newest = mlmd.ListOptions(limit=2, order_by=mlmd.OrderByField.CREATE_TIME, is_asc=False)
    assert [one.id for one in records.get_artifacts(newest)] == [3, 2]
    with pytest.raises(errors.InvalidArgumentError, match="limit"):
        records.get_artifacts(mlmd.ListOptions(limit=-1))
