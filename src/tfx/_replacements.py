"""What to use in place of the parts of TFX that are not here, by full name or by last part."""

from __future__ import annotations

NOTHING = "There is nothing in its place."

_OWN_COMPONENT = "write a component of your own (@component)"
_RUNNER = "Use tfx.v1.orchestration.LocalDagRunner, the only runner here."
_CONTAINER = (
    "Nothing here runs containers: use @component, with a function that starts what is needed."
)
_BEAM = (
    "Use BaseComponent with a BaseExecutor: its Do() may run a Beam pipeline of its own "
    "(pip install 'trainwright[beam]')."
)
_TUNER = (
    "There is nothing in its place: search in run_fn, for example with keras_tuner, or run the "
    "pipeline with other settings (trainwright run FILE --set NAME=VALUE) and compare the runs."
)
_BULK_INFERRER = (
    f"There is nothing in its place: {_OWN_COMPONENT} that loads the model and writes predictions."
)
_DISTRIBUTIONS = (
    "Use ExampleValidator with drift_comparator and skew_comparator in the schema, and look at "
    "the statistics with `trainwright show ARTIFACT --html`."
)
_INFRA = (
    f"There is nothing in its place: {_OWN_COMPONENT} between Evaluator and Pusher that loads the "
    "model as the server does."
)
_QUERY = (
    "Use FileBasedExampleGen with an executor of your own (BaseExampleGenExecutor), or export the "
    "query's result to Parquet or CSV first."
)
_CLOUD = (
    "Nothing here runs on Google Cloud: use the component of the same job (Trainer, Pusher, "
    f"FileBasedExampleGen), or {_OWN_COMPONENT}."
)
_PLACEHOLDER = (
    "It belongs to container components. `component.outputs[KEY].future()` stands for a value that "
    "a node makes, tfx.v1.dsl.experimental.RuntimeParameter for one that is set when running."
)
_STORE = "Use trainwright.open_store(PATH), whose methods read executions, artifacts and events."

_REPLACEMENTS = {
    "BaseBeamComponent": _BEAM,
    "BaseBeamExecutor": _BEAM,
    "BeamComponentParameter": _BEAM,
    "FuseableBeamExecutor": _BEAM,
    "BulkInferrer": _BULK_INFERRER,
    "BulkInferrerSpec": _BULK_INFERRER,
    "tfx.components.bulk_inferrer": _BULK_INFERRER,
    "DistributionValidator": _DISTRIBUTIONS,
    "ExampleDiff": _DISTRIBUTIONS,
    "ExampleDiffSpec": _DISTRIBUTIONS,
    "tfx.components.distribution_validator": _DISTRIBUTIONS,
    "tfx.components.example_diff": _DISTRIBUTIONS,
    "InfraValidator": _INFRA,
    "InfraValidatorSpec": _INFRA,
    "tfx.components.infra_validator": _INFRA,
    "QueryBasedDriver": _QUERY,
    "QueryBasedExampleGen": _QUERY,
    "QueryBasedExampleGenSpec": _QUERY,
    "get_query_for_span": _QUERY,
    "avro_executor": (
        "Use FileBasedExampleGen with an executor of your own (BaseExampleGenExecutor) that reads "
        "Avro, or convert the files to Parquet."
    ),
    "Tuner": _TUNER,
    "TunerFnResult": _TUNER,
    "TunerSpec": _TUNER,
    "tfx.components.tuner": _TUNER,
    "ExecutorContainerSpec": _CONTAINER,
    "TemplatedExecutorContainerSpec": _CONTAINER,
    "container_component": _CONTAINER,
    "create_container_component": _CONTAINER,
    "tfx.dsl.component.experimental.placeholders": _CONTAINER,
    "exec_property": _PLACEHOLDER,
    "execution_invocation": _PLACEHOLDER,
    "input": _PLACEHOLDER,
    "output": _PLACEHOLDER,
    "tfx.components.trainer.executor.Executor": (
        "Estimators ended with TensorFlow 2.15: write run_fn, which GenericExecutor calls."
    ),
    "tfx.orchestration.metadata.Metadata": _STORE,
    "extensions": _CLOUD,
    "tfx.orchestration.airflow": _RUNNER,
    "tfx.orchestration.beam": _RUNNER,
    "tfx.orchestration.experimental": _RUNNER,
    "tfx.orchestration.kubeflow": _RUNNER,
    "tfx.orchestration.portable": _RUNNER,
    "tfx.v1.orchestration.experimental": _RUNNER,
    "tfx.scripts": "Use the command `trainwright`.",
    "tfx.tools": "Use the command `trainwright`.",
    "test_case_utils": "Use tf.test.TestCase or pytest.",
    "write_tfrecord_file": "Use tf.io.TFRecordWriter.",
    "artifact_query": "Use a Resolver with a strategy, such as LatestArtifactStrategy.",
    "external_pipeline_artifact_query": (
        "Use an Importer with the path of the other pipeline's artifact."
    ),
    "CondContext": "Use Cond, as in `with Cond(...)`.",
    "deserialize_proto_message": "Use json_to_proto, or google.protobuf.text_format.Parse.",
    "unpack_proto_any": "Use the method Unpack() of the message.",
    "dirname": "Use os.path.dirname in the component that gets the path.",
}


def what_instead(name: str) -> str:
    """What stands in for a module or a name, or that nothing does."""
    last = name.rpartition(".")[2]
    return _REPLACEMENTS.get(name) or _REPLACEMENTS.get(last) or NOTHING
