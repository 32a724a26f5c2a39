"""Components for Google Cloud: declared as in TFX, and refused before a run with advice."""

from __future__ import annotations

import pytest

from tfx import v1 as tfx
from tfx.extensions.google_cloud_ai_platform import runner
from tfx.proto import bulk_inferrer_pb2
from tfx.types import standard_artifacts

cloud = tfx.extensions.google_cloud_ai_platform
big_query = tfx.extensions.google_cloud_big_query


def imported(artifact_type):
    return tfx.dsl.Importer(source_uri=".", artifact_type=artifact_type).with_id(
        f"import_{artifact_type.TYPE_NAME}"
    )


EXAMPLES = imported(standard_artifacts.Examples)
MODEL = imported(standard_artifacts.Model)


def cloud_pusher(pusher_class, key):
    return pusher_class(model=MODEL.outputs["result"], custom_config={key: {"model_name": "m"}})


def refuse(tmp_path, source, node):
    pipeline = tfx.dsl.Pipeline("cloud", str(tmp_path / "root"), components=[source, node])
    with pytest.raises(ValueError, match="needs Google Cloud, TFX and an account there") as raised:
        tfx.orchestration.LocalDagRunner().run(pipeline)
    assert not (tmp_path / "root").exists()
    return str(raised.value)


@pytest.mark.parametrize(
    ("pusher_class", "key"),
    [
        (cloud.Pusher, cloud.SERVING_ARGS_KEY),
        (big_query.Pusher, big_query.PUSHER_SERVING_ARGS_KEY),
    ],
)
def test_a_pusher_is_refused_with_the_one_that_pushes_here(tmp_path, pusher_class, key):
    message = refuse(tmp_path, MODEL, cloud_pusher(pusher_class, key))
    assert "Use tfx.v1.components.Pusher with a push_destination" in message


def test_a_tuner_is_refused_with_what_searches_here(tmp_path):
    tuner = cloud.Tuner(examples=EXAMPLES.outputs["result"], tuner_fn="my_package.tuner_fn")
    assert "Use tfx.v1.components.Tuner" in refuse(tmp_path, EXAMPLES, tuner)


def test_the_bulk_inferrer_makes_results_or_examples():
    arguments = {"examples": EXAMPLES.outputs["result"], "model": MODEL.outputs["result"]}
    assert set(cloud.BulkInferrer(**arguments).outputs) == {"inference_result"}
    spec = bulk_inferrer_pb2.OutputExampleSpec()
    examples = cloud.BulkInferrer(**arguments, output_example_spec=spec).outputs
    assert set(examples) == {"output_examples"}


def test_the_functions_that_deploy_models_say_what_to_use():
    with pytest.raises(RuntimeError, match="Pushing a model .* needs Google Cloud"):
        runner.deploy_model_for_aip_prediction("gs://model", "v1", {}, {})
    assert runner.get_service_name_and_api_version({}) == ("ml", "v1")
