"""`trainwright.compat.utils.kube_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.kube_utils import (
        ARGO_MAIN_CONTAINER_NAME as ARGO_MAIN_CONTAINER_NAME,
    )
    from trainwright.compat.utils.kube_utils import KFP_NAMESPACE as KFP_NAMESPACE
    from trainwright.compat.utils.kube_utils import KFP_POD_NAME as KFP_POD_NAME
    from trainwright.compat.utils.kube_utils import TFX_SERVICE_ACCOUNT as TFX_SERVICE_ACCOUNT
    from trainwright.compat.utils.kube_utils import (
        PersistentVolumeAccessMode as PersistentVolumeAccessMode,
    )
    from trainwright.compat.utils.kube_utils import PodPhase as PodPhase
    from trainwright.compat.utils.kube_utils import RestartPolicy as RestartPolicy
    from trainwright.compat.utils.kube_utils import get_current_kfp_pod as get_current_kfp_pod
    from trainwright.compat.utils.kube_utils import get_kfp_namespace as get_kfp_namespace
    from trainwright.compat.utils.kube_utils import get_pod as get_pod
    from trainwright.compat.utils.kube_utils import is_inside_cluster as is_inside_cluster
    from trainwright.compat.utils.kube_utils import is_inside_kfp as is_inside_kfp
    from trainwright.compat.utils.kube_utils import make_batch_v1_api as make_batch_v1_api
    from trainwright.compat.utils.kube_utils import make_core_v1_api as make_core_v1_api
    from trainwright.compat.utils.kube_utils import make_job_object as make_job_object
    from trainwright.compat.utils.kube_utils import pod_is_done as pod_is_done
    from trainwright.compat.utils.kube_utils import pod_is_not_pending as pod_is_not_pending
    from trainwright.compat.utils.kube_utils import sanitize_pod_name as sanitize_pod_name
    from trainwright.compat.utils.kube_utils import wait_pod as wait_pod
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.kube_utils": (
                "ARGO_MAIN_CONTAINER_NAME",
                "KFP_NAMESPACE",
                "KFP_POD_NAME",
                "PersistentVolumeAccessMode",
                "PodPhase",
                "RestartPolicy",
                "TFX_SERVICE_ACCOUNT",
                "get_current_kfp_pod",
                "get_kfp_namespace",
                "get_pod",
                "is_inside_cluster",
                "is_inside_kfp",
                "make_batch_v1_api",
                "make_core_v1_api",
                "make_job_object",
                "pod_is_done",
                "pod_is_not_pending",
                "sanitize_pod_name",
                "wait_pod",
            ),
        },
    )
