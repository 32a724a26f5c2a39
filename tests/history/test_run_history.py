"""The runs in a store, as people ask for them."""

import dataclasses

import pytest

from trainwright.history.run_history import delete_run, find_run, list_runs
from trainwright.metadata import contexts
from trainwright.metadata.connection import open_store
from trainwright.metadata.leases import STALE_SECONDS, current_lease
from trainwright.metadata.records import ExecutionState, RunNode, RunState
from trainwright.testing.store_samples import TRAINER, one_model

NODES = ["Gen", "Trainer", "Pusher"]
UPSTREAM = {"Gen": [], "Trainer": ["Gen"], "Pusher": ["Trainer"]}


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "metadata.db") as store:
        yield store


def note_run(store, run_id, *, pipeline="penguin", state="complete", lease=None):
    nodes = [RunNode(node_id=name, upstream=tuple(UPSTREAM[name])) for name in NODES]
    store.register_run(
        run_id, pipeline=pipeline, root="/root", nodes=nodes, lease=lease or current_lease()
    )
    if state != "running":
        store.update_run(run_id, state=RunState(state))


def register_node(store, run_id, node_id, **lease):
    return store.register_execution(
        TRAINER,
        contexts=[contexts.run_context(run_id)],
        inputs={},
        pending_outputs=one_model,
        custom_properties={"__node_id__": node_id},
        lease=dataclasses.replace(current_lease(), **lease),
    )


def ids(runs):
    return [run.run_id for run in runs]


def test_runs_are_listed_newest_first(store):
    for number in range(6):
        note_run(store, f"run-{number}", pipeline="penguin" if number % 2 else "seal")
    assert ids(list_runs(store)) == [f"run-{number}" for number in range(5, -1, -1)]
    assert ids(list_runs(store, limit=2)) == ["run-5", "run-4"]
    assert ids(list_runs(store, pipeline="seal")) == ["run-4", "run-2", "run-0"]
    assert ids(list_runs(store, pipeline="seal", limit=1)) == ["run-4"]
    assert list_runs(store, pipeline="whale") == []


def test_only_the_runs_that_are_asked_for_are_read(store, monkeypatch):
    for number in range(30):
        note_run(store, f"run-{number:02d}", pipeline="penguin" if number % 3 else "seal")
    read = []
    get_runs, get_executions = store.get_runs, store.get_executions

    def count_runs(**conditions):
        found = get_runs(**conditions)
        read.extend(found)
        return found

    def count_executions(**conditions):
        read.append(conditions["context"])
        return get_executions(**conditions)

    monkeypatch.setattr(store, "get_runs", count_runs)
    monkeypatch.setattr(store, "get_executions", count_executions)
    for ask, expected in (
        (lambda: list_runs(store, limit=3), 6),
        (lambda: list_runs(store, pipeline="seal", limit=3), 6),
        (lambda: find_run(store, "latest"), 2),
        (lambda: find_run(store, "run-07"), 1),
    ):
        read.clear()
        ask()
        assert len(read) == expected


def test_nodes_of_a_run(store):
    note_run(store, "run-1", state="failed")
    generated, pending = register_node(store, "run-1", "Gen")
    outputs = store.publish_execution(generated.id, outputs=pending, custom_properties={})
    trained, _ = register_node(store, "run-1", "Trainer")
    store.fail_execution(
        trained.id, state=ExecutionState.FAILED, custom_properties={"__error__": "no memory"}
    )
    run = find_run(store, "run-1")
    assert (run.run_id, run.pipeline, run.state, run.root) == (
        "run-1",
        "penguin",
        "failed",
        "/root",
    )
    assert run.upstream == UPSTREAM
    generator, trainer, pusher = run.nodes
    assert (generator.node_id, generator.state, generator.execution_id) == ("Gen", "complete", 1)
    assert generator.outputs == outputs
    ended = store.get_execution(generated.id)
    assert generator.seconds == ended.updated_at - ended.created_at
    assert (trainer.state, trainer.error, trainer.outputs) == ("failed", "no memory", {})
    assert (pusher.state, pusher.execution_id, pusher.seconds) == ("not run", None, None)


def test_run_of_which_only_executions_are_known(store):
    """As another program writes them: the nodes are those of the executions."""
    register_node(store, "by-hand", "Gen")
    (run,) = list_runs(store)
    assert (run.run_id, run.pipeline, run.state, run.upstream) == ("by-hand", "", "unknown", {})
    assert [(node.node_id, node.state) for node in run.nodes] == [("Gen", "running")]


def test_running_node_counts_until_now(store, monkeypatch):
    note_run(store, "run-1", state="running")
    execution, _ = register_node(store, "run-1", "Gen")
    monkeypatch.setattr(store, "now", lambda: execution.created_at + 30)
    (run,) = list_runs(store)
    assert run.state == "running"
    assert [node.state for node in run.nodes] == ["running", "waiting", "waiting"]
    assert run.nodes[0].seconds == pytest.approx(30)


def test_node_of_a_dead_run_counts_until_its_last_heartbeat(store, monkeypatch):
    gone = dataclasses.replace(current_lease(), process_started_at=1.5)
    note_run(store, "run-1", state="running", lease=gone)
    execution, _ = register_node(store, "run-1", "Gen")
    store.heartbeat([execution.id])
    heartbeat_at = store.get_execution(execution.id).lease.heartbeat_at
    monkeypatch.setattr(store, "now", lambda: execution.created_at + 3000)
    (run,) = list_runs(store)
    assert run.state == "died"
    assert run.nodes[0].seconds == heartbeat_at - execution.created_at
    assert [node.state for node in run.nodes[:2]] == ["died", "not run"]


@pytest.mark.parametrize("run_state", ["running", "failed"])
def test_node_whose_command_was_killed_does_not_run_any_more(store, run_state):
    """The commands of an orchestrator share a run, which lives on without one of them."""
    note_run(store, "run-1", state=run_state)
    register_node(store, "run-1", "Gen", process_started_at=1.5)
    register_node(store, "run-1", "Trainer")
    (run,) = list_runs(store)
    beside = "running" if run_state == "running" else "died"
    assert [node.state for node in run.nodes[:2]] == ["died", beside]


def test_run_on_another_host_lives_by_its_heartbeat(store, monkeypatch):
    elsewhere = dataclasses.replace(current_lease(), host="elsewhere")
    note_run(store, "run-1", state="running", lease=elsewhere)
    assert [run.state for run in list_runs(store)] == ["running"]
    now = store.now()
    monkeypatch.setattr(store, "now", lambda: now + STALE_SECONDS + 1)
    assert [run.state for run in list_runs(store)] == ["died"]
    monkeypatch.undo()
    store.update_run("run-1", is_alive=True)
    beaten = store.get_run("run-1").lease.heartbeat_at
    assert beaten >= now
    monkeypatch.setattr(store, "now", lambda: beaten + STALE_SECONDS - 1)
    assert [run.state for run in list_runs(store)] == ["running"]


def test_find_run_by_its_beginning(store):
    for name in ("2024-01-01T10", "2024-01-01T11", "2024-01-02", "2024-01-02T09"):
        note_run(store, name)
    assert find_run(store, "latest").run_id == "2024-01-02T09"
    assert find_run(store, "2024-01-01T10").run_id == "2024-01-01T10"
    # The whole id counts, also where another one begins with it.
    assert find_run(store, "2024-01-02").run_id == "2024-01-02"
    assert find_run(store, "2024-01-02T").run_id == "2024-01-02T09"
    with pytest.raises(LookupError, match="'2024-01-01' matches several .*T11, 2024-01-01T10"):
        find_run(store, "2024-01-01")
    with pytest.raises(LookupError, match="'2023' matches no run. Some are: 2024-01-02T09"):
        find_run(store, "2023")


def test_find_run_in_an_empty_store(store):
    for wanted in ("latest", "2024"):
        with pytest.raises(LookupError, match="holds no runs yet"):
            find_run(store, wanted)


def test_a_deleted_run_is_left_out_and_the_next_ones_take_its_place(store):
    for number in range(12):
        note_run(store, f"run-{number:02}")
    for number in (11, 10, 8):
        delete_run(store, f"run-{number:02}")
    assert ids(list_runs(store, limit=2)) == ["run-09", "run-07"]
    assert len(list_runs(store)) == 9
    assert find_run(store, "latest").run_id == "run-09"
    with pytest.raises(LookupError, match="'run-11' matches no run"):
        find_run(store, "run-11")
    with pytest.raises(LookupError, match="There is no run 'run-12'"):
        delete_run(store, "run-12")
    for number in range(12):
        delete_run(store, f"run-{number:02}")
    assert list_runs(store, limit=3) == []
    with pytest.raises(LookupError, match="no runs yet"):
        find_run(store, "latest")
