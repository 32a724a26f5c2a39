"""Nodes belong to the block in which they were made."""

from __future__ import annotations

import pytest

from trainwright import Pipeline, component
from trainwright.dsl import contexts


class Block(contexts.DslContextManager):
    def create_context(self):
        return contexts.DslContext()

    def enter(self, context):
        return context


@component
def work():
    pass


@pytest.fixture(autouse=True)
def registry():
    with contexts.new_registry() as registry:
        yield registry


def test_a_node_belongs_to_the_blocks_that_are_open(registry):
    with Block() as outer:
        with Block() as inner:
            both = work()
        one = work().with_id("one")
    none = work().with_id("none")
    assert registry.get_contexts(both) == [outer, inner]
    assert registry.get_contexts(one) == [outer]
    assert registry.get_contexts(none) == []
    assert registry.get_nodes(outer) == [both, one]
    assert list(inner.ancestors) == [outer]


def test_a_pipeline_takes_its_nodes_and_the_blocks_that_are_closed(registry):
    with Block() as around:
        with Block() as closed:
            node = work()
        pipeline = Pipeline("p", components=[node])
    assert registry.all_nodes == [pipeline]
    assert registry.get_contexts(pipeline) == [around]
    assert pipeline.dsl_context_registry.get_contexts(node) == [closed]
    assert closed.parent is None, "what is around the pipeline is not around its nodes"


def test_a_registry_that_is_final_takes_nothing(registry):
    registry.finalize()
    with pytest.raises(RuntimeError, match="Cannot mutate DslContextRegistry after finalized"):
        work()
    with registry.temporary_mutable():
        work()


def test_a_node_of_another_registry_is_not_known(registry):
    with contexts.new_registry():
        elsewhere = work()
    with pytest.raises(ValueError, match="Node work does not exist in the registry"):
        registry.get_contexts(elsewhere)
