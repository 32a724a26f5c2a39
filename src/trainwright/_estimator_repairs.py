"""tensorflow-estimator 2.15 on today's TensorFlow: what it needs that TensorFlow has dropped.

TensorFlow ended its support of Estimators after 2.15, and with it four small things: the names
`tf.estimator`, the module that runs Estimators in a cluster, a table of exported names and the
TPU's part. They are put back here, in the process of a node whose code asks for Estimators and
nowhere else: `offer_estimators` only adds names, and the repairs are made when one of them is used.
"""

from __future__ import annotations

import copy
import functools
import importlib
import importlib.util
import os
import sys
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

from trainwright._after_import import after_import, before_import
from trainwright._extras import install_advice

PACKAGE = "tensorflow_estimator"

# The modules that have Estimators under the names of TensorFlow 2 and 1.
_NAMES = {
    "tensorflow.estimator": f"{PACKAGE}._api.v2.estimator",
    "tensorflow.compat.v2.estimator": f"{PACKAGE}._api.v2.estimator",
    "tensorflow.compat.v1.estimator": f"{PACKAGE}._api.v1.estimator",
}
_COORDINATION = "tensorflow.python.distribute.estimator_training"
_TPU = f"{PACKAGE}._api.v1.estimator.tpu"
_KERAS_LIB = f"{PACKAGE}.python.estimator.keras_lib"

_NO_TPU = "Estimators on TPUs ended with TensorFlow 2.15: use tf.estimator.Estimator on CPU or GPU."
_NO_BOOSTED_TREES = (
    "TensorFlow no longer has the operations of boosted trees, and tensorflow-estimator 2.15 none "
    "of their Estimators. Train trees in run_fn, for example with scikit-learn or XGBoost, or "
    "use DNNLinearCombinedClassifier."
)
# Names of older TensorFlow that cannot be brought back, by how they begin.
_GONE = {"BoostedTrees": _NO_BOOSTED_TREES, "tpu": _NO_TPU, "TPU": _NO_TPU}


def is_installed() -> bool:
    """Whether the extra `estimator` is installed; nothing is imported to find out."""
    return PathFinder.find_spec(PACKAGE) is not None


def missing_extra(who: str) -> str:
    """What to install, for a node that trains an Estimator."""
    return (
        f"{who} trains an Estimator, which TensorFlow no longer has, and the package that has it "
        f"is not installed: {install_advice(PACKAGE)}"
    )


def why_gone(name: str) -> str:
    """Why a name that `tf.estimator` once had cannot be brought back; empty if it is here."""
    return next((reason for begin, reason in _GONE.items() if name.startswith(begin)), "")


@functools.cache
def offer_estimators() -> None:
    """Lets code of this process import and use Estimators, under TensorFlow's names and their own.

    Nothing is imported or changed until that happens; without the extra nothing is offered.
    """
    if is_installed():
        before_import(PACKAGE, repair)
        after_import("tensorflow", _add_names)


@functools.cache
def repair() -> None:
    """Puts back what tensorflow-estimator imports or reads of TensorFlow; once in a process."""
    restore_export_table()
    restore_cluster_coordination()
    leave_out_tpu()
    after_import(_KERAS_LIB, check_models_to_convert)


def restore_export_table() -> None:
    """The attributes in which a class keeps the names under which it is exported."""
    from tensorflow.python.util import tf_export

    tf_export.ESTIMATOR_API_NAME = "estimator"
    for table, ending in ((tf_export.API_ATTRS, ""), (tf_export.API_ATTRS_V1, "_v1")):
        table["estimator"] = tf_export._Attributes(
            f"_estimator_api_names{ending}", f"_estimator_api_constants{ending}"
        )


def restore_cluster_coordination() -> None:
    """The module that a RunConfig asks for the place of its process in a cluster."""
    if importlib.util.find_spec(_COORDINATION) is None:
        _put_module(ClusterCoordination())


def leave_out_tpu() -> None:
    """The namespace of TPUs, whose modules cannot be imported: its names say so."""
    _put_module(_GoneModule(_TPU))


def check_models_to_convert(keras_lib: Any) -> None:
    """Lets `model_to_estimator` refuse models of Keras 3 in words."""
    original = keras_lib.model_to_estimator

    @functools.wraps(original)
    def model_to_estimator(keras_model: Any = None, *args: Any, **kwargs: Any) -> Any:
        keras = sys.modules.get("keras")
        if keras is not None and isinstance(keras_model, keras.Model):
            raise TypeError(
                f"model_to_estimator was given {keras_model.name!r}, a model of Keras 3 (`import "
                "keras`). An Estimator can only be made of a compiled model of Keras 2: build it "
                "with tf.keras, which is Keras 2 here, or with `import tf_keras`."
            )
        return original(keras_model, *args, **kwargs)

    keras_lib.model_to_estimator = model_to_estimator


class ClusterCoordination(ModuleType):
    """How Estimators run in a cluster: each process is started with TF_CONFIG and runs its task.

    tf.distribute's coordinator, which TensorFlow still has, starts the servers and waits for all.
    It is used where a strategy is given and there is a cluster without a master, as TensorFlow 2.15
    did; without a strategy the Estimator itself talks to parameter servers.
    """

    def __init__(self) -> None:
        super().__init__(_COORDINATION)

    def init_run_config(self, config: Any, tf_config: dict[str, Any]) -> None:
        """Fills in what a RunConfig knows of its cluster."""
        from tensorflow.python.distribute import distribute_coordinator
        from tensorflow.python.training import server_lib

        _take_strategies(config)
        cluster = server_lib.ClusterSpec(tf_config.get("cluster", {}))
        config._init_distributed_setting_from_environment_var({})
        if not cluster or "master" in cluster.jobs or not config._train_distribute:
            config._distribute_coordinator_mode = None
            config._init_distributed_setting_from_environment_var(tf_config)
            config._maybe_overwrite_session_config_for_distributed_training()
            return
        config._cluster_spec = cluster
        config._distribute_coordinator_mode = (
            distribute_coordinator.CoordinatorMode.INDEPENDENT_WORKER
        )

    def should_run_distribute_coordinator(self, config: Any) -> bool:
        mode = getattr(config, "_distribute_coordinator_mode", None)
        return mode is not None and bool(config.cluster_spec)

    def train_and_evaluate(
        self, estimator: Any, train_spec: Any, eval_spec: Any, executor_cls: Any
    ) -> None:
        """Runs this process' task: training, or evaluating each checkpoint as it is written."""
        from tensorflow.python.distribute import distribute_coordinator

        def train(strategy: Any) -> None:
            worker = _for_this_task(estimator, "train", strategy)
            worker.train(
                train_spec.input_fn, hooks=train_spec.hooks, max_steps=train_spec.max_steps
            )

        def evaluate(strategy: Any) -> None:
            evaluator = _for_this_task(estimator, "eval", strategy)
            executor_cls(evaluator, train_spec, eval_spec)._start_continuous_evaluation()

        config = estimator.config
        distribute_coordinator.run_distribute_coordinator(
            train,
            config.train_distribute,
            evaluate,
            config.eval_distribute,
            mode=config._distribute_coordinator_mode,
            session_config=config.session_config,
        )

    def estimator_train(self, estimator: Any, train_distributed_fn: Any, hooks: Any) -> None:
        raise ValueError(_only_train_and_evaluate("train"))

    def estimator_evaluate(self, estimator: Any, evaluate_distributed_fn: Any, hooks: Any) -> None:
        raise ValueError(_only_train_and_evaluate("evaluate"))


def _take_strategies(config: Any) -> None:
    """Strategies may be given in a DistributeConfig, too; one that drives a cluster from outside
    of it is refused."""
    given = config._experimental_distribute
    if not given:
        return
    if given.remote_cluster:
        raise ValueError(
            "RunConfig has experimental_distribute with a remote_cluster, which ended with "
            "TensorFlow 2.15. Start a process for each task of the cluster, with its TF_CONFIG."
        )
    for name in ("train_distribute", "eval_distribute"):
        strategy = getattr(given, name)
        if strategy and getattr(config, f"_{name}"):
            raise ValueError(
                f"RunConfig has {name} twice, as an argument and in experimental_distribute: give "
                "one of them."
            )
        if strategy:
            setattr(config, f"_{name}", strategy)


def _for_this_task(estimator: Any, what: str, strategy: Any) -> Any:
    """A copy of an Estimator that trains or evaluates as this task of the cluster."""
    from tensorflow.python.distribute import distribute_coordinator_context

    worker = copy.deepcopy(estimator)
    config, task = worker._config, distribute_coordinator_context.get_current_worker_context()
    setattr(config, f"_{what}_distribute", strategy)
    setattr(worker, f"_{what}_distribution", strategy)
    config._service = None
    config._cluster_spec = task.cluster_spec
    config._task_type, config._task_id = task.task_type, task.task_id
    config._evaluation_master = config._master = task.master_target
    config._is_chief = task.is_chief
    _count_tasks(config)
    # Otherwise `train` would call the coordinator once more.
    config._distribute_coordinator_mode = None
    return worker


def _count_tasks(config: Any) -> None:
    """What a RunConfig says of the size of its cluster, and of its own number in it."""
    from tensorflow.python.training import server_lib

    if config._task_type == "evaluator":
        # It works by itself: the others know nothing of it.
        config._cluster_spec = server_lib.ClusterSpec({})
        config._num_ps_replicas, config._num_worker_replicas = 0, 0
        config._global_id_in_cluster = None
        return
    jobs = config._cluster_spec.as_dict()
    config._num_ps_replicas = len(jobs.get("ps", ()))
    config._num_worker_replicas = len(jobs.get("worker", ())) + len(jobs.get("chief", ()))
    order = ("chief", *sorted(jobs.keys() - {"chief", "ps"}), "ps")
    before = order[: order.index(config._task_type)]
    config._global_id_in_cluster = config._task_id + sum(len(jobs.get(job, ())) for job in before)


def _only_train_and_evaluate(method: str) -> str:
    return (
        f"Estimator.{method} was called in a cluster with a strategy. Call "
        "tf.estimator.train_and_evaluate, which runs the task of this process."
    )


class _LazyEstimators(ModuleType):
    """Stands for a module of Estimators until a name of it is used."""

    def __init__(self, name: str, target: str) -> None:
        super().__init__(name)
        self._target = target
        # For `from tensorflow.estimator.export import ...`.
        package, *rest = target.split(".")
        spec = PathFinder.find_spec(package)
        assert spec is not None, "offered only where it is installed"
        self.__path__ = [os.path.join(d, *rest) for d in spec.submodule_search_locations or ()]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        reason = why_gone(name)
        if reason:
            raise AttributeError(f"{self.__name__}.{name}: {reason}")
        module = importlib.import_module(self._target)
        value = getattr(module, name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return dir(importlib.import_module(self._target))


class _GoneModule(ModuleType):
    """A module none of whose names can be used."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(_NO_TPU if not name.startswith("__") else name)


def _add_names(tensorflow: ModuleType) -> None:
    """`tf.estimator` and its siblings, where TensorFlow itself does not have them."""
    for name, target in _NAMES.items():
        parent: Any = tensorflow
        for part in name.split(".")[1:-1]:
            parent = getattr(parent, part, None)
        if isinstance(parent, ModuleType) and "estimator" not in vars(parent):
            _put_module(_LazyEstimators(name, target), parent)


def _put_module(module: ModuleType, parent: ModuleType | None = None) -> None:
    """Makes a module importable by its name, and an attribute of the one it is in."""
    sys.modules[module.__name__] = module
    package, _, name = module.__name__.rpartition(".")
    parent = parent or sys.modules.get(package)
    if parent is not None:
        setattr(parent, name, module)
