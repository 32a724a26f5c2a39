"""`tfx.v1`: its names are frozen here, so that a change of them is seen."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import traceback
from pathlib import Path

import pytest

import tfx
import trainwright
from trainwright._version import TFX_API_VERSION

PUBLIC_NAMES = {
    "tfx.v1": """
        __version__ components dsl orchestration proto testing types utils
    """,
    "tfx.v1.components": """
        CsvExampleGen DataAccessor ExampleValidator FnArgs ImportExampleGen ImportSchemaGen Pusher
        SchemaGen StatisticsGen Trainer Transform Evaluator
    """,
    "tfx.v1.dsl": """
        Artifact Channel Cond ExecutionMode Importer Pipeline Resolver components experimental io
        placeholders standard_annotations
    """,
    "tfx.v1.dsl.components": "InputArtifact OutputArtifact OutputDict Parameter component",
    "tfx.v1.dsl.experimental": """
        LatestArtifactStrategy LatestBlessedModelStrategy ResolverStrategy RuntimeParameter
        SpanRangeStrategy
    """,
    "tfx.v1.dsl.io": "fileio",
    "tfx.v1.dsl.io.fileio": """
        NotFoundError PathType copy exists glob isdir listdir makedirs mkdir open remove rename
        rmtree stat walk
    """,
    "tfx.v1.dsl.placeholders": "",
    "tfx.v1.dsl.standard_annotations": """
        Dataset Deploy Evaluate Metrics Model Process Statistics Train Transform
    """,
    "tfx.v1.orchestration": "LocalDagRunner metadata",
    "tfx.v1.orchestration.metadata": """
        ConnectionConfigType mysql_metadata_connection_config sqlite_metadata_connection_config
    """,
    "tfx.v1.proto": """
        ClassifyOutput CustomConfig DataSpec DistributionValidatorConfig EnvVar EnvVarSource
        EvalArgs ExampleDiffConfig FeatureComparator FeatureSlicingSpec Filesystem Input
        KubernetesConfig LocalDockerConfig ModelSpec Output OutputColumnsSpec OutputExampleSpec
        PairedExampleSkew PayloadFormat PodOverrides PredictOutput PredictOutputCol PushDestination
        RangeConfig RegressOutput RequestSpec RollingRange SecretKeySelector ServingSpec
        SingleSlicingSpec SplitConfig SplitsConfig StaticRange TensorFlowServing
        TensorFlowServingRequestSpec TrainArgs TuneArgs ValidationSpec Versioning orchestration
    """,
    "tfx.v1.proto.orchestration": "RunState",
    "tfx.v1.testing": "Channel",
    "tfx.v1.types": """
        BaseChannel BaseComponent BaseFunctionalComponent BaseFunctionalComponentFactory BaseNode
        standard_artifacts
    """,
    "tfx.v1.types.standard_artifacts": """
        Boolean Bytes ExampleAnomalies ExampleStatistics Examples Float HyperParameters
        InferenceResult InfraBlessing Integer JsonValue Model ModelBlessing ModelEvaluation ModelRun
        PushedModel Schema String TransformCache TransformGraph TunerResults
    """,
    "tfx.v1.utils": "JsonableType parse_pbtxt_file",
}

# What TFX has under these names and this version lacks.
MISSING_NAMES = {
    "tfx.v1": "extensions",
    "tfx.v1.components": """
        BulkInferrer ExampleDiff InfraValidator Tuner TunerFnResult
    """,
    "tfx.v1.dsl.components": "AsyncOutputArtifact BeamComponentParameter",
    "tfx.v1.dsl.experimental": "create_container_component",
    "tfx.v1.dsl.placeholders": "exec_property execution_invocation input output",
    "tfx.v1.orchestration": "experimental",
    "tfx.v1.types": "BaseBeamComponent",
    "tfx.components": """
        BulkInferrer DistributionValidator ExampleDiff InfraValidator QueryBasedExampleGen Tuner
    """,
    "tfx.components.example_gen.component": "QueryBasedExampleGen",
    "tfx.components.example_gen.driver": "Driver QueryBasedDriver update_output_artifact",
    "tfx.components.example_gen.utils": """
        calculate_splits_fingerprint_span_and_version get_pattern_for_span_version
        get_query_for_span verify_split_pattern_specs
    """,
    "tfx.components.trainer.executor": "Executor",
    "tfx.dsl.experimental.conditionals.conditional": "CondContext get_predicates",
    "tfx.dsl.placeholder.placeholder": """
        ArtifactPlaceholder DictPlaceholder EnvironmentVariablePlaceholder ExecInvocationPlaceholder
        ExecPropertyPlaceholder ListPlaceholder ListSerializationFormat MakeProtoPlaceholder
        ProtoSerializationFormat RuntimeInfoKeys RuntimeInfoPlaceholder dirname environment_variable
        exec_property execution_invocation input join_path make_dict make_list make_proto output
        runtime_info
    """,
    "tfx.orchestration.metadata": "Metadata",
    "tfx.types.channel_utils": """
        artifact_query encode_placeholder_with_channels external_pipeline_artifact_query
        get_dependent_channels
    """,
}
EACH_MISSING_NAME = [(m, name) for m, names in MISSING_NAMES.items() for name in names.split()]


def public_names(module) -> list[str]:
    if hasattr(module, "__all__"):
        return sorted(module.__all__)
    return sorted(name for name in vars(module) if not name.startswith("_"))


def test_the_modules_are_these():
    found = pkgutil.walk_packages(tfx.v1.__path__, "tfx.v1.")
    assert sorted(["tfx.v1", *(module.name for module in found)]) == sorted(PUBLIC_NAMES)


@pytest.mark.parametrize("module_name", PUBLIC_NAMES)
def test_the_names_are_these_and_all_are_there(module_name):
    module = importlib.import_module(module_name)
    expected = sorted(PUBLIC_NAMES[module_name].split())
    assert public_names(module) == expected
    for name in expected:
        getattr(module, name)
        assert name in dir(module)


@pytest.mark.parametrize("module_name", PUBLIC_NAMES)
def test_a_star_import_works(module_name):
    scope: dict[str, object] = {}
    exec(f"from {module_name} import *", scope)
    assert set(PUBLIC_NAMES[module_name].split()) <= set(scope)


def lazy_files() -> list[Path]:
    root = Path(tfx.__file__).parent
    return [path for path in root.rglob("*.py") if "= lazy_tfx_names(" in path.read_text()]


@pytest.mark.parametrize("path", lazy_files(), ids=lambda path: str(path.parent.name))
def test_type_checkers_see_the_names_that_there_are(path):
    guarded = next(node for node in ast.parse(path.read_text()).body if isinstance(node, ast.If))
    seen = set()
    for node in guarded.body:
        if isinstance(node, ast.ImportFrom):
            seen |= {alias.asname for alias in node.names if not alias.asname.startswith("_C")}
        elif isinstance(node, ast.Assign):
            seen |= {target.id for target in node.targets}
    relative = path.parent.relative_to(Path(tfx.__file__).parent)
    module = importlib.import_module(".".join(("tfx", *relative.parts)))
    assert seen == set(module.__all__)


def test_a_name_is_the_same_object_as_in_trainwright():
    from tfx import v1

    assert v1.components.Trainer is trainwright.components.Trainer
    assert v1.components.FnArgs is trainwright.components.FnArgs
    assert v1.dsl.Cond is trainwright.Cond
    assert v1.dsl.Pipeline is trainwright.Pipeline
    assert v1.dsl.components.component is trainwright.component
    assert issubclass(v1.orchestration.LocalDagRunner, trainwright.LocalDagRunner)
    assert v1.dsl.experimental.RuntimeParameter is trainwright.RuntimeParameter
    assert v1.proto.TrainArgs is trainwright.proto.TrainArgs


@pytest.mark.parametrize(("module_name", "name"), EACH_MISSING_NAME)
def test_a_name_that_only_tfx_has_says_so(module_name, name):
    message = (
        f"^{module_name}.{name} is part of TFX's API "
        f"but not of Trainwright {trainwright.__version__} yet. [A-Z].*[.]$"
    )
    module = importlib.import_module(module_name)
    assert not hasattr(module, name)
    assert getattr(module, name, None) is None
    with pytest.raises(AttributeError, match=message):
        getattr(module, name)
    with pytest.raises(ImportError, match=message):
        exec(f"from {module_name} import {name}")
    assert name not in dir(module)


@pytest.mark.parametrize(
    ("module_name", "name", "guess"),
    [
        ("tfx", "component", "components"),
        ("tfx.v1.components", "Trianer", "Trainer"),
        ("tfx.v1.proto", "TranArgs", "TrainArgs"),
        ("tfx.v1.proto.orchestration", "RunStat", "RunState"),
        ("tfx.types.artifact", "Artefact", "Artifact"),
        ("tfx.proto.trainer_pb2", "TranArgs", "TrainArgs"),
        ("tfx.utils.io_utils", "copy_fil", "copy_file"),
    ],
)
def test_a_name_that_nobody_has_is_refused_in_the_same_words(module_name, name, guess):
    message = (
        f"^{module_name}.{name} is not part of Trainwright {trainwright.__version__}, nor of TFX's "
        f"API as Trainwright knows it; did you mean '{guess}'"
    )
    module = importlib.import_module(module_name)
    assert not hasattr(module, name)
    with pytest.raises(AttributeError, match=message) as raised:
        getattr(module, name)
    printed = "".join(traceback.format_exception_only(raised.value))
    assert printed.lower().count("did you mean") == 1, "Python added a guess of its own"
    with pytest.raises(ImportError, match=message):
        exec(f"from {module_name} import {name}")


def test_a_name_that_is_missing_says_what_to_use_instead():
    for module, name, advice in [
        (tfx.v1.components, "Tuner", "search in run_fn"),
        (tfx.v1, "extensions", "Nothing here runs on Google Cloud"),
        (tfx.v1.types, "BaseBeamComponent", "Use BaseComponent"),
        (tfx.types.channel_utils, "get_dependent_channels", "There is nothing in its place."),
    ]:
        with pytest.raises(AttributeError, match=advice):
            getattr(module, name)


def test_no_advice_is_for_a_name_that_nobody_can_ask_for():
    from tfx._missing_modules import MISSING_MODULES
    from tfx._replacements import _REPLACEMENTS

    asked = {f"{module}.{name}" for module, name in EACH_MISSING_NAME} | MISSING_MODULES
    asked |= {name.rpartition(".")[2] for name in asked}
    for path in Path(tfx.__file__).parent.rglob("*.py"):
        calls = [
            node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)
        ]
        for call in calls:
            if getattr(call.func, "id", "") in ("missing_names", "lazy_tfx_names"):
                strings = [n.value for n in ast.walk(call) if isinstance(n, ast.Constant)]
                module = ".".join(("tfx", *path.relative_to(Path(tfx.__file__).parent).parts))
                asked |= {*strings, *(f"{module.removesuffix('.py')}.{s}" for s in strings)}
    assert set(_REPLACEMENTS) <= asked


def test_the_version_begins_with_tfx_s():
    import tfx.version

    expected = f"{TFX_API_VERSION}+trainwright.{trainwright.__version__}"
    assert tfx.__version__ == tfx.v1.__version__ == tfx.version.__version__ == expected
