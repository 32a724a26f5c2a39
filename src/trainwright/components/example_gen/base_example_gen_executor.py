"""BaseExampleGenExecutor: what a user's own executor for an ExampleGen is made from."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from trainwright.components.example_gen.dict_examples import serialize_example
from trainwright.components.example_gen.request import Request
from trainwright.dsl.base_beam_executor import BaseBeamExecutor
from trainwright.dsl.base_executor import ArtifactDict
from trainwright.types.artifact import Artifact

if TYPE_CHECKING:
    from trainwright.data.example_writing.examples_output import ReportProgress, WrittenExamples
    from trainwright.data.example_writing.overflows import Overflows
    from trainwright.engine.engine import Engine


_BEAM_HOOKS = ("GetInputSourceToExamplePTransform", "GenerateExamplesByBeam")


class BaseExampleGenExecutor(BaseBeamExecutor):
    """Makes examples from files or queries. A subclass overrides one of two hooks.

    `read_examples` is a generator over the files of an input split, or over the result of its
    query: no other library is needed, and the rest (splits, shards, compression, checks) is done
    here.

    `GetInputSourceToExamplePTransform` is TFX's hook, for executors written for TFX or too large
    for one machine. It returns a Beam transform that is called with `exec_properties` and the
    pattern of an input split; it needs `pip install 'trainwright[beam]'`, and runs with the
    `beam_pipeline_args` of pipeline and node, by default in this process.

    Example:
        ```python
        class LogExecutor(BaseExampleGenExecutor):
            def read_examples(self, files, exec_properties):
                for path in files:
                    for line in open(path):
                        yield {"message": line.rstrip()}

        class SqlExecutor(BaseExampleGenExecutor):  # for a QueryBasedExampleGen
            def read_examples(self, queries, exec_properties):
                [query] = queries
                cursor = sqlite3.connect("trips.db").execute(query)
                names = [column[0] for column in cursor.description]
                for row in cursor:
                    yield dict(zip(names, row))
        ```
    """

    # Modules that are not in the base install, and the command that installs each. They are looked
    # for before a run starts.
    REQUIRED_MODULES: ClassVar[Mapping[str, str]] = {}

    # The transform of `beam_sources` that reads the same source, for executors of ours.
    BEAM_SOURCE: ClassVar[str] = ""

    def read_examples(
        self, files: Sequence[str], exec_properties: Mapping[str, Any]
    ) -> Iterable[Any]:
        """Yields the examples of the files of one input split, in the order to be written.

        An example is a dict of feature names to values (numbers, strings, bytes, None or lists of
        these), a `tf.train.Example`, a `tf.train.SequenceExample`, or the bytes of a serialized
        message. What it is must fit the ExampleGen's `output_data_format`.

        Args:
            files: The paths, sorted; for a QueryBasedExampleGen, the query alone.
            exec_properties: The ExampleGen's properties, among them `custom_config` as JSON.
        """
        raise NotImplementedError

    def GetInputSourceToExamplePTransform(self) -> Any:
        """Returns a Beam transform from a pipeline to tf.train.Examples, for each input split.

        It is called as `transform(exec_properties, split_pattern)`; the files are
        `os.path.join(exec_properties["input_base"], split_pattern)`, or the pattern is a query.
        An executor of ours does not run it: it has it for those who read the same files in a
        pipeline of their own.
        """
        if not self.BEAM_SOURCE:
            raise NotImplementedError
        from trainwright.components.example_gen import beam_sources

        return getattr(beam_sources, self.BEAM_SOURCE)

    def GenerateExamplesByBeam(self, pipeline: Any, exec_properties: dict[str, Any]) -> Any:
        """Returns a collection of examples for each output split, from the transform above.

        A subclass that divides the examples in its own way overrides this.
        """
        from trainwright.components.example_gen.beam_examples import generate_examples

        return generate_examples(
            pipeline, exec_properties, self.GetInputSourceToExamplePTransform()
        )

    @classmethod
    def check_hooks(cls) -> None:
        """Raises TypeError unless a subclass overrides one of the hooks."""
        hooks = ("read_examples", "convert", "write_examples", *_BEAM_HOOKS, "Do")
        if all(getattr(cls, hook) is getattr(BaseExampleGenExecutor, hook) for hook in hooks):
            raise TypeError(
                f"{cls.__qualname__} does not say how files become examples: expected a method "
                "read_examples(self, files, exec_properties) that yields them, or TFX's "
                "GetInputSourceToExamplePTransform(self). Pass a subclass of "
                "BaseExampleGenExecutor with one of them: "
                "custom_executor_spec=ExecutorClassSpec(MyExecutor)."
            )

    @classmethod
    def takes_found_files(cls) -> bool:
        """Whether it reads the files that the driver finds, and no others.

        A `Do` or a Beam transform of the user's own may have its input from anywhere.
        """
        return cls.Do is BaseExampleGenExecutor.Do and not cls._uses_beam()

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        self.check_hooks()
        [examples] = output_dict["examples"]
        if self._uses_beam():
            self._write_by_beam(Request.read(exec_properties, needs_files=False), examples)
        else:
            self.write_examples(Request.read(exec_properties), examples)

    def _write_by_beam(self, request: Request, examples: Artifact) -> None:
        from trainwright.components.example_gen.beam_examples import write_examples

        # The transform may leave something in them for the writing, such as an Arrow schema.
        properties = dict(request.exec_properties)
        properties["_beam_pipeline_args"] = list(self._beam_pipeline_args)
        with self._make_beam_pipeline() as pipeline:
            splits = self.GenerateExamplesByBeam(pipeline, properties)
            write_examples(splits, examples.uri, properties)
        request.describe(examples)

    def write_examples(self, request: Request, examples: Artifact) -> None:
        """Writes the examples without Beam, and notes on the artifact what they are."""
        request.describe_written(examples, self.convert(request, examples.uri))

    def convert(self, request: Request, output_dir: str) -> WrittenExamples:
        """Writes the splits below `output_dir`; by default the examples of `read_examples`.

        What it needs for that is imported in it: a run that finds the node cached needs none.
        """
        from trainwright.data.example_writing.overflows import Overflows
        from trainwright.data.example_writing.tfrecords_to_examples import write_serialized_examples

        overflows = Overflows()
        return write_serialized_examples(
            {
                name: self._serialized(request, files, overflows)
                for name, files in request.input_files.items()
            },
            output_dir,
            payload_format=request.payload_format,
            output_splits=request.hash_splits,
            source=f"{type(self).__qualname__}.read_examples",
            report_progress=self.progress_of("examples"),
            overflows=overflows,
        )

    @contextlib.contextmanager
    def writing_engine(self) -> Iterator[Engine | None]:
        """The engine that was chosen for the node; None if none was: the conversion has its own."""
        if self.context.engine is None:
            yield None
            return
        from trainwright.engine.choice import engine_for_files, open_engine

        with open_engine(self.context.engine) as chosen, engine_for_files(chosen) as engine:
            yield engine

    def progress_of(self, unit: str) -> ReportProgress:
        """Passes a count on as the node's progress: `progress_of("rows")(12_000)`."""
        return lambda count: self.context.report_progress({unit: count})

    def _serialized(
        self, request: Request, files: Sequence[str], overflows: Overflows
    ) -> Iterator[bytes]:
        hook = f"{type(self).__qualname__}.read_examples"
        found = self.read_examples(files, request.exec_properties)
        if not isinstance(found, Iterable):
            raise TypeError(f"{hook} returned {found!r}: expected an iterable of examples.")
        for number, example in enumerate(found):
            place = f"{hook}, example {number}"
            yield serialize_example(example, request.payload_format, place, overflows)

    @classmethod
    def _uses_beam(cls) -> bool:
        """Whether a user's class has a Beam hook; ours have them for those who ask for them."""
        return any(not _owner(cls, hook).startswith("trainwright.") for hook in _BEAM_HOOKS)


def _owner(cls: type, method: str) -> str:
    """The module of the class that a method comes from."""
    return next(base.__module__ for base in cls.__mro__ if method in vars(base))
