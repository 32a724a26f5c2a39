"""The keys of `custom_config` that say how and where a component of Google Cloud does its work."""

from __future__ import annotations

ENABLE_VERTEX_KEY = "ai_platform_enable_vertex"
VERTEX_REGION_KEY = "ai_platform_vertex_region"
VERTEX_CONTAINER_IMAGE_URI_KEY = "ai_platform_vertex_container_image_uri"
SERVING_ARGS_KEY = "ai_platform_serving_args"
ENDPOINT_ARGS_KEY = "endpoint"
TRAINING_ARGS_KEY = "ai_platform_training_args"
JOB_ID_KEY = "ai_platform_training_job_id"
LABELS_KEY = "ai_platform_training_labels"
ENABLE_UCAIP_KEY = "ai_platform_training_enable_ucaip"
UCAIP_REGION_KEY = "ai_platform_training_ucaip_region"
TUNING_ARGS_KEY = "ai_platform_tuning_args"
REMOTE_TRIALS_WORKING_DIR_KEY = "remote_trials_working_dir"
