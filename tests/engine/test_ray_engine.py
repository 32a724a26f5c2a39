"""RayEngine on a cluster of three nodes, and a fourth that dies."""

import json
from pathlib import Path

CONTRACT = Path(__file__).with_name("ray_contract.py")


def test_keeps_the_contract_of_engines(ray_cluster, tmp_path):
    options = ["-q", "--tb=short", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'inner'}"]
    doomed = ray_cluster.add_node()
    try:
        finished = ray_cluster.run(
            ["-m", "pytest", str(CONTRACT), *options],
            env={
                "RAY_TEST_ADDRESS": ray_cluster.address,
                "RAY_TEST_DOOMED": json.dumps(doomed.pids),
            },
            timeout=300,
            check=False,
        )
    finally:
        ray_cluster.remove_node(doomed)
    assert finished.returncode == 0, finished.stdout[-8000:] + finished.stderr[-2000:]
