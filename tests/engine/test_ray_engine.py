"""RayEngine on a cluster of three nodes."""

from pathlib import Path

CONTRACT = Path(__file__).with_name("ray_contract.py")


def test_keeps_the_contract_of_engines(ray_cluster):
    finished = ray_cluster.run(
        ["-m", "pytest", str(CONTRACT), "-q", "--tb=line", "-p", "no:cacheprovider"],
        env={"RAY_TEST_ADDRESS": ray_cluster.address},
        timeout=300,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout[-8000:] + finished.stderr[-2000:]
