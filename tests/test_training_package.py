"""trainwright.training: datasets and saved signatures from `fn_args`, in this process."""

import pytest

from trainwright import training
from trainwright.components import FnArgs

SCHEMA = """
feature { name: "length" type: FLOAT presence { min_fraction: 1.0 } shape { dim { size: 1 } } }
feature { name: "mass" type: INT }
feature { name: "species" type: BYTES domain: "species"
          presence { min_fraction: 1.0 } shape { dim { size: 1 } } }
string_domain { name: "species" value: "Adelie" value: "Gentoo" }
"""


@pytest.fixture(scope="module")
def fn_args(tmp_path_factory):
    import tensorflow as tf

    from trainwright.components.user_training.fn_args import make_data_accessor

    directory = tmp_path_factory.mktemp("training")
    (directory / "schema.pbtxt").write_text(SCHEMA)
    with tf.io.TFRecordWriter(str(directory / "data.gz"), "GZIP") as writer:
        for number in range(8):
            writer.write(_example(number))
    return FnArgs(
        train_files=[str(directory / "data.gz")],
        eval_files=[str(directory / "data.gz")],
        train_steps=6,
        schema_path=str(directory / "schema.pbtxt"),
        data_accessor=make_data_accessor([]),
        serving_model_dir=str(directory / "model"),
        model_run_dir=str(directory / "run"),
    )


def _example(number: int) -> bytes:
    import tensorflow as tf

    example = tf.train.Example()
    example.features.feature["length"].float_list.value.append(number)
    if number != 3:
        example.features.feature["mass"].int64_list.value.append(number)
    example.features.feature["species"].bytes_list.value.append([b"Adelie", b"Gentoo"][number % 2])
    return example.SerializeToString()


def test_raw_examples_are_numbers_of_one_column_and_the_label_a_number(fn_args):
    data = training.TrainingData(fn_args, label="species", batch_size=8)
    assert data.features == ["length", "mass"]
    assert data.classes == ["Adelie", "Gentoo"]
    ((features, label),) = list(data.evaluation)
    assert features["mass"].dtype.name == "float32"
    assert features["mass"].numpy().tolist() == [[0], [1], [2], [0], [4], [5], [6], [7]]
    assert label.numpy().ravel().tolist() == [0, 1] * 4
    assert len(list(data.train.take(20))) == 20


@pytest.mark.parametrize("library", ["tf_keras", "keras"])
def test_a_model_of_either_keras_is_saved_with_its_label(fn_args, library, tmp_path):
    import tensorflow as tf

    keras = pytest.importorskip(library)
    data = training.TrainingData(fn_args, label="species", features=["length", "mass"])
    inputs = {name: keras.Input((1,), name=name) for name in data.features}
    joined = keras.layers.Concatenate()(list(inputs.values()))
    model = keras.Model(inputs, keras.layers.Dense(2)(joined))
    data.save(model, output="logits", directory=str(tmp_path / "model"))
    saved = tf.saved_model.load(str(tmp_path / "model"))
    unlabelled = tf.train.Example.FromString(_example(1))
    del unlabelled.features.feature["species"]
    served = saved.signatures["serving_default"](tf.constant([unlabelled.SerializeToString()]))
    assert served["logits"].shape == (1, 2)
    labels = saved.signatures["transformed_labels"](tf.constant([_example(0), _example(1)]))
    assert labels["species"].numpy().ravel().tolist() == [0, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"label": "specie"}, "label 'specie' is not in the schema; did you mean 'species'"),
        (
            {"label": "species", "features": ["lenght"]},
            "feature 'lenght' is not in the schema",
        ),
        ({"label": "species", "features": ["species"]}, "feature 'species' is the label"),
    ],
)
def test_names_that_are_not_there_are_answered_with_those_that_are(fn_args, arguments, message):
    with pytest.raises(ValueError, match=message):
        training.TrainingData(fn_args, **arguments)


def test_raw_examples_need_a_schema():
    with pytest.raises(ValueError, match=r"Trainer\(schema=schema_gen.outputs.schema"):
        training.TrainingData(FnArgs(), label="species")
