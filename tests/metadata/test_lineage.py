"""Lineage: makers are found through any number of reuses, with few questions to the store."""

import time

import pytest

from trainwright.metadata.connection import open_store
from trainwright.metadata.leases import current_lease
from trainwright.metadata.lineage import find_makers, trace_downstream, trace_upstream
from trainwright.metadata.records import (
    ArtifactRecord,
    ContextKey,
    ExecutionState,
    TypeRecord,
)

NODE = TypeRecord(name="node")
THING = TypeRecord(name="Thing")
RUN = ContextKey("pipeline_run", "1")


class Factory:
    """Makes executions in a real store, and counts what the store is asked."""

    def __init__(self, store):
        self.store = store
        self.questions = []
        for name in ("get_events", "get_artifacts", "get_execution", "get_executions"):
            self._count(name)

    def _count(self, name):
        method = getattr(self.store, name)

        def counted(*arguments, **options):
            self.questions.append(name)
            return method(*arguments, **options)

        setattr(self.store, name, counted)

    def start(self, inputs=(), outputs=1):
        keys = {f"in{number}": [artifact] for number, artifact in enumerate(inputs)}
        made = {f"out{number}": [self.pending()] for number in range(outputs)}
        return self.store.register_execution(
            NODE,
            contexts=[RUN],
            inputs=keys,
            pending_outputs=lambda execution_id: made,
            custom_properties={},
            lease=current_lease(),
        )

    def pending(self):
        return ArtifactRecord(type=THING, uri="/nowhere")

    def make(self, inputs=(), outputs=1):
        """A complete execution; its id and those of its outputs."""
        execution, pending = self.start(inputs, outputs)
        made = self.store.publish_execution(execution.id, outputs=pending, custom_properties={})
        return execution.id, [record.id for group in made.values() for record in group]

    def reuse(self, inputs, outputs):
        return self.store.record_finished_execution(
            NODE,
            state=ExecutionState.CACHED,
            contexts=[RUN],
            inputs={f"in{number}": [artifact] for number, artifact in enumerate(inputs)},
            outputs={f"out{number}": [artifact] for number, artifact in enumerate(outputs)},
            custom_properties={},
        ).id


@pytest.fixture
def factory(tmp_path):
    with open_store(tmp_path / "metadata.db") as store:
        yield Factory(store)


def test_upstream_and_downstream_of_a_diamond(factory):
    top, (examples,) = factory.make()
    left, (model,) = factory.make([examples])
    right, (statistics,) = factory.make([examples])
    bottom, (report,) = factory.make([model, statistics])

    above = trace_upstream(factory.store, artifact_ids=[report])
    assert set(above.executions) == {top, left, right, bottom}
    assert set(above.artifacts) == {examples, model, statistics, report}
    assert [edge.execution_id for edge in above.makers(report)] == [bottom]
    assert {edge.artifact_id for edge in above.inputs(bottom)} == {model, statistics}
    assert len(above.edges) == len(set(above.edges)) == 8

    below = trace_downstream(factory.store, artifact_ids=[examples])
    assert set(below.executions) == {left, right, bottom}
    assert {edge.execution_id for edge in below.readers(examples)} == {left, right}
    assert [edge.artifact_id for edge in below.outputs(bottom)] == [report]


def test_only_the_way_up_is_followed(factory):
    _, (examples, other) = factory.make(outputs=2)
    trainer, (model,) = factory.make([examples])
    factory.make([model])
    above = trace_upstream(factory.store, artifact_ids=[model])
    assert set(above.artifacts) == {examples, model}
    assert other not in above.artifacts
    assert trainer in above.executions


def test_reuses_are_neither_makers_nor_readers(factory):
    first, (examples,) = factory.make()
    second, (model,) = factory.make([examples])
    for _ in range(3):
        factory.reuse([], [examples])
        factory.reuse([examples], [model])

    above = trace_upstream(factory.store, artifact_ids=[model])
    assert set(above.executions) == {first, second}
    below = trace_downstream(factory.store, artifact_ids=[examples])
    assert set(below.executions) == {second}
    assert set(below.artifacts) == {examples, model}
    assert find_makers(factory.store, [examples, model]) == {examples: first, model: second}
    assert find_makers(factory.store, []) == {}


def test_a_walk_may_start_at_a_reuse(factory):
    first, (examples,) = factory.make()
    second, (model,) = factory.make([examples])
    third, _ = factory.make([model])
    reuse = factory.reuse([examples], [model])
    above = trace_upstream(factory.store, execution_ids=[reuse])
    assert set(above.executions) == {reuse, first}
    below = trace_downstream(factory.store, execution_ids=[reuse])
    assert set(below.executions) == {reuse, third}
    assert second not in below.executions


def test_reuses_without_outputs_do_not_count_but_executions_do(factory):
    _, (examples,) = factory.make()
    pushed, _ = factory.make([examples], outputs=0)
    factory.reuse([examples], [])
    assert set(trace_downstream(factory.store, artifact_ids=[examples]).executions) == {pushed}


def test_what_failed_read_its_inputs_and_made_nothing(factory):
    _, (examples,) = factory.make()
    execution, pending = factory.start([examples])
    factory.store.fail_execution(execution.id, state=ExecutionState.FAILED, custom_properties={})
    below = trace_downstream(factory.store, artifact_ids=[examples])
    assert execution.id in below.executions
    assert below.outputs(execution.id) == []
    # Its abandoned output still knows where it comes from.
    (abandoned,) = (record.id for group in pending.values() for record in group)
    assert execution.id in trace_upstream(factory.store, artifact_ids=[abandoned]).executions


def test_an_execution_that_gives_its_input_back_is_no_circle(factory):
    _, (examples,) = factory.make()
    execution, _ = factory.start([examples], outputs=0)
    (record,) = factory.store.get_artifacts(ids=[examples])
    factory.store.publish_execution(execution.id, outputs={"same": [record]}, custom_properties={})
    assert execution.id not in trace_upstream(factory.store, artifact_ids=[examples]).executions
    assert set(trace_downstream(factory.store, artifact_ids=[examples]).artifacts) == {examples}


def test_depth_counts_executions(factory):
    ids, artifact = [], None
    artifacts = []
    for _ in range(5):
        execution, (artifact,) = factory.make([artifact] if artifact else [])
        ids.append(execution)
        artifacts.append(artifact)
    for depth in range(1, 5):
        above = trace_upstream(factory.store, artifact_ids=[artifact], depth=depth)
        assert sorted(above.executions) == ids[-depth:]
        below = trace_downstream(factory.store, artifact_ids=[artifacts[0]], depth=depth)
        assert sorted(below.executions) == ids[1 : depth + 1]
    nothing = trace_upstream(factory.store, execution_ids=[ids[-1]], depth=0)
    assert list(nothing.executions) == [ids[-1]]
    assert nothing.edges == []


def test_unknown_ids(factory):
    with pytest.raises(KeyError):
        trace_upstream(factory.store, artifact_ids=[5])
    with pytest.raises(KeyError):
        trace_downstream(factory.store, execution_ids=[5])


def test_the_store_is_asked_a_few_times_per_level(factory):
    _, wide = factory.make(outputs=30)
    makers = [factory.make([artifact])[1][0] for artifact in wide]
    _, (report,) = factory.make(makers)
    factory.questions.clear()
    above = trace_upstream(factory.store, artifact_ids=[report])
    assert len(above.executions) == 32
    assert factory.questions.count("get_events") <= 2 * 3 + 1
    assert factory.questions.count("get_artifacts") == 1
    assert "get_executions" not in factory.questions


def test_a_long_history_beside_it_does_not_matter(factory):
    _, (examples,) = factory.make()
    _, (model,) = factory.make([examples])
    for _ in range(300):
        factory.reuse([], [examples])
        factory.make()
    began = time.perf_counter()
    factory.questions.clear()
    above = trace_upstream(factory.store, artifact_ids=[model])
    assert len(above.executions) == 2
    assert factory.questions.count("get_execution") == 2
    assert time.perf_counter() - began < 10.0
