"""DistributionValidator: features that moved too far from the baseline are anomalies."""

from pathlib import Path

import pytest
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import anomalies_pb2, statistics_pb2

from trainwright import LocalDagRunner, Pipeline
from trainwright.components import CsvExampleGen, StatisticsGen
from trainwright.components.distribution_validator.component import DistributionValidator
from trainwright.components.distribution_validator.executor import NO_BASELINE_STATS, Executor
from trainwright.proto import distribution_validator_pb2
from trainwright.types.channel import Channel
from trainwright.types.splits import encode_split_names
from trainwright.types.standard_artifacts import ExampleAnomalies, ExampleStatistics


def company_statistics(red, blue):
    """The statistics of one feature with two values, each this often."""
    return text_format.Parse(
        f"""
        datasets {{
          num_examples: {red + blue}
          features {{
            path {{ step: "company" }}
            type: STRING
            string_stats {{
              common_stats {{ num_non_missing: {red + blue} min_num_values: 1 max_num_values: 1
                              tot_num_values: {red + blue} }}
              unique: 2
              rank_histogram {{
                buckets {{ low_rank: 0 high_rank: 0 label: "red" sample_count: {red} }}
                buckets {{ low_rank: 1 high_rank: 1 label: "blue" sample_count: {blue} }}
              }}
            }}
          }}
        }}""",
        statistics_pb2.DatasetFeatureStatisticsList(),
    )


def statistics_at(directory, **by_split):
    artifact = ExampleStatistics()
    artifact.uri = str(directory)
    artifact.split_names = encode_split_names(list(by_split))
    artifact.span = 7
    for split, statistics in by_split.items():
        (directory / f"Split-{split}").mkdir(parents=True)
        (directory / f"Split-{split}" / "FeatureStats.pb").write_bytes(
            statistics.SerializeToString()
        )
    return artifact


def config_for(feature="company", threshold=0.1):
    config = distribution_validator_pb2.DistributionValidatorConfig()
    wanted = config.default_slice_config.feature.add()
    wanted.path.step.append(feature)
    wanted.distribution_comparator.infinity_norm.threshold = threshold
    return config


def validate(tmp_path, statistics, baseline, config=None, **properties):
    output = ExampleAnomalies()
    output.uri = str(tmp_path / "anomalies")
    Executor().Do(
        {"statistics": [statistics], "baseline_statistics": baseline},
        {"anomalies": [output]},
        {"distribution_validator_config": config or config_for(), **properties},
    )
    return output


def read_anomalies(output, pair):
    with open(f"{output.uri}/SplitPair-{pair}/SchemaDiff.pb", "rb") as file:
        return anomalies_pb2.Anomalies.FromString(file.read())


@pytest.fixture
def statistics(tmp_path):
    return statistics_at(
        tmp_path / "now", train=company_statistics(50, 50), eval=company_statistics(90, 10)
    )


@pytest.fixture
def baseline(tmp_path):
    return statistics_at(
        tmp_path / "then", train=company_statistics(52, 48), eval=company_statistics(50, 50)
    )


def test_splits_of_the_same_name_are_compared(tmp_path, statistics, baseline):
    output = validate(tmp_path, statistics, [baseline])
    assert output.get_json_value_custom_property("blessed") == {"train_train": 1, "eval_eval": 0}
    assert output.span == 7
    found = read_anomalies(output, "eval_eval").anomaly_info["company"]
    assert [anomalies_pb2.AnomalyInfo.Type.Name(one.type) for one in found.reason] == [
        "COMPARATOR_L_INFTY_HIGH"
    ]
    assert not read_anomalies(output, "train_train").anomaly_info


def test_pairs_can_be_chosen(tmp_path, statistics, baseline):
    output = validate(tmp_path, statistics, [baseline], include_split_pairs='[["eval", "train"]]')
    assert output.get_json_value_custom_property("blessed") == {"eval_train": 0}
    with pytest.raises(ValueError, match="Missing split pairs .* train_test"):
        validate(
            tmp_path,
            statistics,
            [baseline],
            include_split_pairs='[["eval", "train"], ["train", "test"]]',
        )


def test_the_number_of_examples_is_compared(tmp_path, baseline):
    config = distribution_validator_pb2.DistributionValidatorConfig()
    config.default_slice_config.num_examples_comparator.min_fraction_threshold = 1.0
    fewer = statistics_at(tmp_path / "fewer", train=company_statistics(5, 5))
    output = validate(tmp_path, fewer, [baseline], config)
    found = read_anomalies(output, "train_train").dataset_anomaly_info
    assert "below the threshold 1" in found.reason[0].description


def test_a_feature_that_cannot_be_compared_is_an_anomaly(tmp_path, statistics, baseline):
    output = validate(tmp_path, statistics, [baseline], config_for("fare"))
    reason = read_anomalies(output, "train_train").anomaly_info["fare"].reason[0]
    assert reason.short_description == "Comparison could not be done."


def test_other_differences_are_not_anomalies(tmp_path, baseline):
    statistics = company_statistics(50, 50)
    statistics.datasets[0].features.add(type=statistics_pb2.FeatureNameStatistics.INT)
    statistics.datasets[0].features[1].path.step.append("new")
    output = validate(tmp_path, statistics_at(tmp_path / "now", train=statistics), [baseline])
    assert output.get_json_value_custom_property("blessed") == {"train_train": 1}


def test_without_a_baseline_nothing_is_compared(tmp_path, statistics):
    output = validate(tmp_path, statistics, [])
    assert output.get_json_value_custom_property("blessed") == {
        "train": NO_BASELINE_STATS,
        "eval": NO_BASELINE_STATS,
    }


def test_the_component_keeps_the_config_and_refuses_sql():
    channel = Channel(type=ExampleStatistics)
    made = DistributionValidator(channel, channel, config_for(), [("eval", "train")])
    assert made.exec_properties["distribution_validator_config"] == config_for()
    assert made.exec_properties["include_split_pairs"] == '[["eval", "train"]]'
    with pytest.raises(ValueError, match="ZetaSQL"):
        DistributionValidator(channel, channel, config_for(), custom_validation_config="SELECT 1")


def test_in_a_pipeline_it_says_what_has_moved(tmp_path, capfd):
    gens = []
    for name, share in (("now", 3), ("then", 6)):
        (tmp_path / name).mkdir()
        lines = [f"{n},{'red' if n % share else 'blue'}\n" for n in range(300)]
        (tmp_path / name / "a.csv").write_text("trip,company\n" + "".join(lines))
        example_gen = CsvExampleGen(str(tmp_path / name)).with_id(f"examples_{name}")
        gens.append(StatisticsGen(example_gen.outputs["examples"]).with_id(name))
    validator = DistributionValidator(
        gens[0].outputs["statistics"], gens[1].outputs["statistics"], config=config_for()
    )
    pipeline = Pipeline("moved", str(tmp_path / "root"), components=[validator], enable_cache=True)
    result = LocalDagRunner().run(pipeline)
    (output,) = result.outputs["DistributionValidator"]["anomalies"]
    found = (Path(output.uri) / "SplitPair-train_train" / "SchemaDiff.pb").read_bytes()
    assert "company" in anomalies_pb2.Anomalies.FromString(found).anomaly_info
    said = capfd.readouterr().err
    assert "DistributionValidator: drift in train_train: 1: company (High Linfty distance" in said
    (page,) = result.pages["DistributionValidator"]
    assert "baseline train" in Path(page).read_text()
    # The config is part of the cache key, and stored with the execution.
    again = LocalDagRunner().run(pipeline)
    assert again.states["DistributionValidator"].value == "cached"
