"""The repairs that tensorflow-estimator needs, each seen in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

SCRIPT = """
import collections, json, os, sys
import tensorflow as tf
from trainwright import _estimator_repairs as estimator_repairs

seen = {"before": hasattr(tf, "estimator")}
estimator_repairs.offer_estimators()
from tensorflow import estimator as te
import tensorflow.estimator
seen["is_lazy"] = "tensorflow_estimator" not in sys.modules
from tensorflow.python.util import tf_export
seen["untouched"] = "estimator" not in tf_export.API_ATTRS
seen["names"] = [
    te.DNNClassifier.__name__,
    tf.estimator.Estimator is te.Estimator,
    tf.compat.v1.estimator.Estimator is not te.Estimator,
    tf.compat.v2.estimator.Estimator is te.Estimator,
]
from tensorflow.estimator.export import PredictOutput
seen["submodule"] = PredictOutput is tf.estimator.export.PredictOutput
seen["exported"] = te.RunConfig._estimator_api_names
import tensorflow_estimator
seen["own_name"] = tensorflow_estimator.estimator.RunConfig is te.RunConfig
seen["in_dir"] = "LinearRegressor" in dir(te)

def error(call):
    try:
        call()
    except Exception as raised:
        return f"{type(raised).__name__}: {raised}"

seen["tpu"] = error(lambda: tensorflow_estimator.estimator.tpu.TPUEstimator)
seen["unknown"] = error(lambda: te.LinearRegresor)

def task(cluster, kind, index, strategy=True):
    os.environ["TF_CONFIG"] = json.dumps(
        {"cluster": cluster, "task": {"type": kind, "index": index}}
    )
    distribute = tf.distribute.MirroredStrategy() if strategy else None
    config = te.RunConfig(train_distribute=distribute)
    from tensorflow.python.distribute import estimator_training
    coordinates = estimator_training.should_run_distribute_coordinator(config)
    return [coordinates, config.num_worker_replicas, config.num_ps_replicas,
            config.global_id_in_cluster, config.is_chief]

Distribute = collections.namedtuple(
    "Distribute", "train_distribute eval_distribute remote_cluster", defaults=(None, None)
)
servers = {"chief": ["a:1"], "ps": ["b:1"], "worker": ["c:1", "d:1"]}
seen["parameter_server"] = task(servers, "worker", 1, strategy=False)
seen["coordinated"] = task({"chief": ["a:1"], "worker": ["c:1"]}, "worker", 0)[0]
del os.environ["TF_CONFIG"]
seen["alone"] = te.RunConfig().is_chief
twice = tf.distribute.MirroredStrategy()
seen["twice"] = error(lambda: te.RunConfig(
    train_distribute=twice, experimental_distribute=Distribute(twice)
))
seen["remote"] = error(lambda: te.RunConfig(
    experimental_distribute=Distribute(twice, None, {"worker": ["a:1"]})
))
print(json.dumps(seen))
"""


@pytest.fixture(scope="module")
def seen():
    finished = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        env={**os.environ, "TF_USE_LEGACY_KERAS": "1", "TF_CPP_MIN_LOG_LEVEL": "3"},
        timeout=300,
    )
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout.splitlines()[-1])


def test_nothing_changes_before_estimators_are_used(seen):
    assert not seen["before"]
    assert seen["is_lazy"]
    assert seen["untouched"]


def test_the_names_of_tensorflow_1_and_2(seen):
    assert seen["names"] == ["DNNClassifierV2", True, True, True]
    assert seen["submodule"]
    assert seen["in_dir"]
    assert seen["unknown"].startswith("AttributeError")


def test_the_table_of_exported_names(seen):
    assert seen["exported"] == ["estimator.RunConfig"]


def test_the_package_may_be_imported_by_its_own_name(seen):
    assert seen["own_name"]


def test_tpus_are_left_out_in_words(seen):
    assert "Estimators on TPUs ended with TensorFlow 2.15" in seen["tpu"]


def test_a_process_finds_its_place_in_a_cluster(seen):
    assert seen["alone"] is True
    # No coordinator; three workers with the chief, one parameter server; the third of them.
    assert seen["parameter_server"] == [False, 3, 1, 2, False]
    assert seen["coordinated"] is True


def test_strategies_that_contradict_each_other_are_refused(seen):
    assert "RunConfig has train_distribute twice" in seen["twice"]
    assert "Start a process for each task of the cluster" in seen["remote"]


WORKER = """
import sys
import numpy as np
from trainwright._estimator_repairs import offer_estimators
offer_estimators()
import tensorflow as tf

def data():
    x = np.linspace(0, 1, 64, dtype=np.float32).reshape(-1, 1)
    return tf.data.Dataset.from_tensor_slices(({"x": x}, 2 * x)).repeat().batch(8)

config = tf.estimator.RunConfig(
    model_dir=sys.argv[1], tf_random_seed=1,
    train_distribute=tf.distribute.MultiWorkerMirroredStrategy(),
)
estimator = tf.estimator.LinearRegressor([tf.feature_column.numeric_column("x")], config=config)
tf.estimator.train_and_evaluate(
    estimator,
    tf.estimator.TrainSpec(data, max_steps=20),
    tf.estimator.EvalSpec(data, steps=1),
)
"""


@pytest.mark.reference
def test_two_workers_train_one_estimator(tmp_path):
    import tensorflow as tf

    ports = [_free_port(), _free_port()]
    cluster = {"chief": [f"127.0.0.1:{ports[0]}"], "worker": [f"127.0.0.1:{ports[1]}"]}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(tmp_path)],
            env={
                **os.environ,
                "TF_USE_LEGACY_KERAS": "1",
                "TF_CONFIG": json.dumps({"cluster": cluster, "task": {"type": kind, "index": 0}}),
            },
            stderr=subprocess.PIPE,
            text=True,
        )
        for kind in ("chief", "worker")
    ]
    for process in processes:  # each of which waits for the other
        _, errors = process.communicate(timeout=200)
        assert process.returncode == 0, errors
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-20")


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
