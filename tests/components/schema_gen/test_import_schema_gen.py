"""ImportSchemaGen: copies a schema as it is, and refuses a broken one before anything runs."""

import pytest

from trainwright import LocalDagRunner, OutputDict, Pipeline, component, open_store
from trainwright.components import ImportSchemaGen
from trainwright.orchestration.run_result import NodeState

# The comment and the spaces would not survive being parsed and printed again.
SCHEMA = b"""# kept by hand
feature { name: "species"   type: BYTES domain: "species" }
feature { name: "mass" type: FLOAT }
string_domain { name: "species" value: "Ad\xc3\xa9lie" }
"""


@component
def first() -> OutputDict(out=int):
    return {"out": 1}


def run(schema_file, tmp_path):
    components = [first(), ImportSchemaGen(schema_file=str(schema_file))]
    pipeline = Pipeline("schema", str(tmp_path / "root"), components=components, enable_cache=True)
    return LocalDagRunner().run(pipeline)


def test_the_file_is_copied_byte_for_byte_and_read_again_when_it_changes(tmp_path):
    path = tmp_path / "my_schema.pbtxt"
    path.write_bytes(SCHEMA)
    result = run(path, tmp_path)
    uri = tmp_path / "root" / "ImportSchemaGen" / "schema"
    (artifact,) = result.outputs["ImportSchemaGen"]["schema"]
    assert artifact.type.name == "Schema"
    assert artifact.uri.startswith(str(uri))
    with open(f"{artifact.uri}/schema.pbtxt", "rb") as file:
        assert file.read() == SCHEMA

    assert run(path, tmp_path).states["ImportSchemaGen"] is NodeState.CACHED
    path.write_bytes(SCHEMA.replace(b"mass", b"flip"))
    assert run(path, tmp_path).states["ImportSchemaGen"] is NodeState.COMPLETE


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "does not exist. Relative paths count from"),
        (b"", "has no features"),
        (
            b'feature {\n  name: "a"\n  kind: INT\n}',
            "is not a schema in text form (schema.pbtxt): line 3:",
        ),
        (b'feature { name: "a" ', "is not a schema in text form"),
        (b'{"feature": [{"name": "a"}]}', "is not a schema in text form"),
        (b'feature { name: "\xff" }', "is not a schema in text form (schema.pbtxt): 'utf-8' codec"),
        (b'feature { name: "a" } feature { name: "a" }', "more than one feature named ['a']"),
        (b"feature { type: INT }", "a feature without a name"),
        (
            b'feature { name: "a" domain: "d" } string_domain { name: "e" }',
            "Feature 'a' in",
        ),
        (
            b'feature { name: "a" type: INT int_domain { min: 10 max: 3 } }'
            b' feature { name: "b" presence { min_fraction: 7 } }',
            "feature 'a': int_domain.min is 10, above int_domain.max, which is 3.\n"
            "- feature 'b': presence.min_fraction is 7: expected a fraction between 0 and 1.",
        ),
    ],
)
def test_a_broken_schema_is_refused_before_anything_runs(tmp_path, content, complaint):
    path = tmp_path / "schema.pbtxt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError) as raised:
        run(path, tmp_path)
    assert complaint in str(raised.value)
    assert str(path) in str(raised.value)
    with open_store(tmp_path / "root" / "metadata.db") as store:
        assert store.get_executions() == []
    assert not (tmp_path / "root" / "first").exists()


def test_a_dangling_domain_names_the_ones_that_are_there(tmp_path):
    path = tmp_path / "schema.pbtxt"
    path.write_text('feature { name: "a" domain: "d" } string_domain { name: "e" }')
    with pytest.raises(ValueError) as raised:
        run(path, tmp_path)
    assert "has the domain 'd', which is not one of its string_domains ['e']" in str(raised.value)


def test_a_directory_is_no_schema_file(tmp_path):
    with pytest.raises(ValueError, match="is a directory, not a file"):
        run(tmp_path, tmp_path)


def test_the_file_must_be_named():
    with pytest.raises(ValueError, match="Missing argument 'schema_file'"):
        ImportSchemaGen(schema_file=None)
