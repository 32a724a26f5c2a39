"""`ml_metadata` where the real package is not installed, and where it is."""

import pickle
from pathlib import Path

import trainwright

SOURCES = str(Path(trainwright.__file__).parents[1])


def test_modules_are_the_same_objects_by_every_path(run_script):
    source = """
    import ml_metadata as mlmd
    import ml_metadata.proto.metadata_store_pb2 as by_import
    from ml_metadata import errors
    from ml_metadata.proto import metadata_store_pb2
    from trainwright.proto.mlmd import metadata_store_pb2 as ours
    assert ours is by_import is metadata_store_pb2 is mlmd.proto.metadata_store_pb2
    assert ours.__spec__.name == ours.__name__
    assert mlmd.errors is errors
    assert mlmd.proto.ConnectionConfig is ours.ConnectionConfig
    """
    run_script(source, PYTHONPATH=SOURCES)


def test_importing_it_is_light(run_script):
    source = """
    import sys
    import ml_metadata
    from ml_metadata.proto import metadata_store_pb2
    from ml_metadata import errors
    ml_metadata.MetadataStore
    heavy = ("tensorflow", "apache_beam", "pandas", "numpy", "sqlalchemy")
    print([name for name in heavy if name in sys.modules])
    """
    assert run_script(source, PYTHONPATH=SOURCES).stdout == "[]\n"


def test_a_module_that_is_not_here_says_whose_it_is(run_script):
    source = """
    for line in ("import ml_metadata.tools", "from ml_metadata import tools"):
        try:
            exec(line)
        except ImportError as error:
            print(error)
    """
    lines = run_script(source, PYTHONPATH=SOURCES).stdout.splitlines()
    assert len(lines) == 2
    for line in lines:
        assert line.startswith("ml_metadata.tools is part of ml-metadata, which is not installed.")


def test_an_installed_ml_metadata_comes_first(run_script, tmp_path):
    real = tmp_path / "elsewhere" / "ml_metadata"
    real.mkdir(parents=True)
    (real / "__init__.py").write_text("REAL = True\n")
    (real / "errors.py").write_text("REAL = True\n")
    source = """
    import ml_metadata
    from ml_metadata import errors
    print(ml_metadata.REAL, errors.REAL)
    """
    path = f"{SOURCES}:{real.parent}"
    assert run_script(source, PYTHONPATH=path).stdout == "True True\n"


def test_messages_and_errors_can_be_pickled():
    from ml_metadata import errors
    from ml_metadata.proto import metadata_store_pb2

    artifact = metadata_store_pb2.Artifact(id=1, uri="here")
    assert pickle.loads(pickle.dumps(artifact)) == artifact
    error = pickle.loads(pickle.dumps(errors.NotFoundError("gone")))
    assert isinstance(error, errors.NotFoundError)
    assert (error.message, error.error_code) == ("gone", errors.NOT_FOUND)


def test_an_error_is_made_from_its_code():
    from ml_metadata import errors

    made = errors.make_exception("twice", errors.ALREADY_EXISTS)
    assert isinstance(made, errors.AlreadyExistsError)
    assert isinstance(errors.make_exception("odd", 99), errors.UnknownError)


def test_the_descriptor_keeps_the_librarys_file_name():
    from ml_metadata.proto import metadata_store_pb2

    assert metadata_store_pb2.DESCRIPTOR.name == "ml_metadata/proto/metadata_store.proto"
    base_types = metadata_store_pb2.ArtifactType.SystemDefinedBaseType.DESCRIPTOR
    options = base_types.values_by_name["MODEL"].GetOptions()
    extension = metadata_store_pb2.system_type_extension
    assert options.Extensions[extension].type_name == "mlmd.Model"


def test_it_does_not_count_as_a_users_own_module():
    import ml_metadata
    from trainwright.orchestration.planning.first_party import is_first_party

    assert not is_first_party(ml_metadata.__file__)
    assert is_first_party(__file__)
