"""deploy/kuberay: manifests that Kubernetes and KubeRay know, and that fit together."""

import copy
import json
import re
import shlex
from pathlib import Path

import jsonschema
import kubernetes_validate
import pytest
import yaml
from pinned_versions import pins

from trainwright.cli.commands.run import run
from trainwright.history.settings_file import read_settings_file

ROOT = Path(__file__).resolve().parents[2]
MANIFESTS = sorted((ROOT / "deploy" / "kuberay").glob("*.yaml"))
PAGE = (ROOT / "docs" / "kuberay.md").read_text()
RAY_SCHEMA = json.loads(Path(__file__).with_name("ray_io_v1.json").read_text())
RAY = jsonschema.Draft202012Validator(RAY_SCHEMA)
# The oldest and the newest release of Kubernetes that the manifests are for.
RELEASES = ("1.29", "1.37")
PYTHONS = ("3.10", "3.11", "3.12", "3.13")


def documents(path):
    return list(yaml.safe_load_all(path.read_text()))


ALL = [
    pytest.param(document, id=f"{path.stem}-{document['kind']}")
    for path in MANIFESTS
    for document in documents(path)
]
RAY_OBJECTS = [one for one in ALL if one.values[0]["apiVersion"] == "ray.io/v1"]


def groups(document):
    """The head and the worker groups of a manifest's cluster; none if it only names one."""
    spec = document["spec"]
    cluster = spec.get("rayClusterSpec", spec)
    if "headGroupSpec" not in cluster:
        return []
    return [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]


def pod_templates(document):
    submitter = document["spec"].get("submitterPodTemplate")
    return [group["template"] for group in groups(document)] + ([submitter] if submitter else [])


def containers(document):
    return [one for pod in pod_templates(document) for one in pod["spec"]["containers"]]


def as_pod_template(template):
    """An object of Kubernetes that has a pod template and nothing else."""
    named = {"metadata": {"name": "any"}, **template}
    return {
        "apiVersion": "v1",
        "kind": "PodTemplate",
        "metadata": {"name": "any"},
        "template": named,
    }


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("document", ALL)
def test_kubernetes_knows_every_field(document, release):
    if document["apiVersion"] != "ray.io/v1":
        kubernetes_validate.validate(document, release, strict=True)
        return
    templates = pod_templates(document)
    assert templates
    for template in templates:
        kubernetes_validate.validate(as_pod_template(template), release, strict=True)


@pytest.mark.parametrize("document", RAY_OBJECTS)
def test_kuberay_knows_every_field(document):
    RAY.validate(document)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("spec.entrypont", "trainwright run pipeline.py"),
        ("spec.backoffLimit", "2"),
        ("spec.shutdownAfterJobFinishes", False),
        ("spec.rayClusterSpec.headGroupSpec.rayStartParams.num-cpus", 0),
        ("spec.rayClusterSpec.autoscalerOptions", {}),
        ("spec.clusterSelector", {"ray.io/cluster": "shared"}),
    ],
)
def test_a_mistake_in_a_ray_job_is_found(path, value):
    [job] = documents(ROOT / "deploy" / "kuberay" / "run.yaml")
    *parents, last = path.split(".")
    changed = at = copy.deepcopy(job)
    for parent in parents:
        at = at[parent]
    at[last] = value
    assert not RAY.is_valid(changed)


def test_a_mistake_in_a_pod_is_found():
    template = {"spec": {"containers": [{"name": "ray-head", "image": "a", "envFrm": []}]}}
    with pytest.raises(kubernetes_validate.ValidationError, match="envFrm"):
        kubernetes_validate.validate(as_pod_template(template), RELEASES[-1], strict=True)


def test_the_page_shows_the_files_as_they_are():
    shown = dict(re.findall(r'^```yaml title="([^"]+)"\n(.*?)^```$', PAGE, re.M | re.S))
    files = {str(path.relative_to(ROOT)): path.read_text() for path in MANIFESTS}
    assert shown == files


def test_all_pods_have_the_same_image():
    assert len({one["image"] for param in RAY_OBJECTS for one in containers(param.values[0])}) == 1


@pytest.mark.parametrize("document", [one for one in RAY_OBJECTS if groups(one.values[0])])
def test_ray_has_the_version_of_the_image(document):
    spec = document["spec"].get("rayClusterSpec", document["spec"])
    assert {spec["rayVersion"]} == {pins(python)["ray"] for python in PYTHONS}


@pytest.mark.parametrize("document", RAY_OBJECTS)
def test_requests_are_limits_wherever_nodes_run(document):
    for group in groups(document):
        [container] = group["template"]["spec"]["containers"]
        assert container["resources"]["requests"] == container["resources"]["limits"]


@pytest.mark.parametrize("document", [one for one in RAY_OBJECTS if groups(one.values[0])])
def test_the_head_runs_no_nodes_and_has_the_store(document):
    head, *workers = groups(document)
    assert head["rayStartParams"]["num-cpus"] == "0"
    assert "metadata-store" in secrets(head)
    assert not any("metadata-store" in secrets(worker) for worker in workers)
    shared = secrets(head) - {"metadata-store"}
    assert all(secrets(worker) == shared for worker in workers)


def secrets(group):
    [container] = group["template"]["spec"]["containers"]
    return {source["secretRef"]["name"] for source in container.get("envFrom", [])}


def test_the_secrets_are_those_that_the_page_makes():
    made = set(re.findall(r"create secret generic (\S+)", PAGE))
    used = {
        name for one in RAY_OBJECTS for group in groups(one.values[0]) for name in secrets(group)
    }
    assert used == made


@pytest.mark.parametrize(
    "document", [one for one in RAY_OBJECTS if one.values[0]["kind"] == "RayJob"]
)
def test_the_command_understands_the_entrypoint(document):
    entrypoint = document["spec"]["entrypoint"]
    assert not re.search(r"[&|;<>$`'\"\\]", entrypoint)
    program, command, *arguments = shlex.split(entrypoint)
    assert (program, command) == ("trainwright", "run")
    parser = run.make_parser(run.make_context(command, [], resilient_parsing=True))
    parsed, _, _ = parser.parse_args(arguments)
    assert parsed["file"].endswith(".py")
    assert parsed["root"].startswith(("s3://", "/artifacts/"))
    assert parsed["runner"] == "ray"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_ray_knows_what_its_nodes_are_started_with():
    pytest.importorskip("ray", reason="pip install 'trainwright[ray]'")
    from ray.scripts.scripts import start

    known = {name for option in start.params for name in option.opts}
    for one in RAY_OBJECTS:
        for group in groups(one.values[0]):
            assert {f"--{name}" for name in group["rayStartParams"]} <= known


def test_a_job_selects_the_cluster_that_stays(tmp_path):
    [claim, cluster] = documents(ROOT / "deploy" / "kuberay" / "cluster.yaml")
    [job] = documents(ROOT / "deploy" / "kuberay" / "run-on-cluster.yaml")
    assert job["spec"]["clusterSelector"] == {"ray.io/cluster": cluster["metadata"]["name"]}
    [root] = {
        mount["mountPath"]
        for group in groups(cluster)
        for container in group["template"]["spec"]["containers"]
        for mount in container["volumeMounts"]
    }
    assert f"--root {root}/" in job["spec"]["entrypoint"]
    for group in groups(cluster):
        [volume] = group["template"]["spec"]["volumes"]
        assert volume["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
    # A node that asks for what no pod has yet is only waited for by a runner that is told so.
    [settings] = re.findall(r'^```toml title="trainwright.toml"\n(.*?)^```$', PAGE, re.M | re.S)
    (tmp_path / "trainwright.toml").write_text(settings)
    assert read_settings_file(tmp_path / "trainwright.toml").ray == {"autoscales": True}
    assert cluster["spec"]["enableInTreeAutoscaling"]


def test_the_policy_lets_the_submitters_in_and_all_is_in_one_namespace():
    namespace, policy = documents(ROOT / "deploy" / "kuberay" / "network.yaml")
    name = namespace["metadata"]["name"]
    for param in ALL:
        if param.values[0]["kind"] != "Namespace":
            assert param.values[0]["metadata"]["namespace"] == name
    [among_nodes, to_the_dashboard] = policy["spec"]["ingress"]
    assert "ports" not in among_nodes
    assert [port["port"] for port in to_the_dashboard["ports"]] == [8265]
    labels = to_the_dashboard["from"][0]["podSelector"]["matchLabels"]
    for param in RAY_OBJECTS:
        submitter = param.values[0]["spec"].get("submitterPodTemplate")
        if submitter:
            assert submitter["metadata"]["labels"] == labels
