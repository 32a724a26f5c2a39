"""The names under which the metadata store knows our components: TFX's."""

from __future__ import annotations

_TFX_NAMES = {
    "trainwright.components.example_gen.component.FileBasedExampleGen": (
        "tfx.components.example_gen.component.FileBasedExampleGen"
    ),
    "trainwright.components.example_gen.import_example_gen.component.ImportExampleGen": (
        "tfx.components.example_gen.import_example_gen.component.ImportExampleGen"
    ),
    "trainwright.components.example_gen.csv_example_gen.component.CsvExampleGen": (
        "tfx.components.example_gen.csv_example_gen.component.CsvExampleGen"
    ),
    "trainwright.components.schema_gen.import_schema_gen.component.ImportSchemaGen": (
        "tfx.components.schema_gen.import_schema_gen.component.ImportSchemaGen"
    ),
    "trainwright.components.schema_gen.component.SchemaGen": (
        "tfx.components.schema_gen.component.SchemaGen"
    ),
    "trainwright.components.example_validator.component.ExampleValidator": (
        "tfx.components.example_validator.component.ExampleValidator"
    ),
    "trainwright.components.statistics_gen.component.StatisticsGen": (
        "tfx.components.statistics_gen.component.StatisticsGen"
    ),
    "trainwright.components.transform.component.Transform": (
        "tfx.components.transform.component.Transform"
    ),
    "trainwright.components.trainer.component.Trainer": (
        "tfx.components.trainer.component.Trainer"
    ),
    "trainwright.components.evaluator.component.Evaluator": (
        "tfx.components.evaluator.component.Evaluator"
    ),
    "trainwright.components.evaluator.model_validator.ModelValidator": (
        "tfx.components.model_validator.component.ModelValidator"
    ),
    "trainwright.components.pusher.component.Pusher": "tfx.components.pusher.component.Pusher",
    "trainwright.dsl.importer.Importer": "tfx.dsl.components.common.importer.Importer",
    "trainwright.dsl.resolver.Resolver": "tfx.dsl.components.common.resolver.Resolver",
    "trainwright.dsl.pipeline.Pipeline": "tfx.orchestration.pipeline.Pipeline",
}

# A pipeline script keeps its executions' names however it is started.
SCRIPT_MODULE = "__trainwright_pipeline__"


def stored_type_name(node_class: type) -> str:
    """The stored name of a node class; a user's own class goes by its module and name."""
    module = "__main__" if node_class.__module__ == SCRIPT_MODULE else node_class.__module__
    path = f"{module}.{node_class.__qualname__}"
    return _TFX_NAMES.get(path, path)


def tfx_class_path(path: str) -> str:
    """TFX's name for a class of our components; other names stay as they are.

    >>> tfx_class_path("trainwright.components.trainer.executor.GenericExecutor")
    'tfx.components.trainer.executor.GenericExecutor'
    """
    package, _, rest = path.partition(".components.")
    return f"tfx.components.{rest}" if package == "trainwright" else path
