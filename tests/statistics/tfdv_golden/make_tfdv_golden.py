"""Writes what TFDV makes of the cases into this folder.

Run it with an environment that has tensorflow-data-validation 1.16.1 and not this project:

    PYTHONPATH=tests/statistics python tests/statistics/tfdv_golden/make_tfdv_golden.py

Its requirements take pip hours to resolve; these work, on Python 3.10:

    pip install tensorflow==2.16.2 apache-beam==2.60.0 'numpy<2' 'pandas<2' 'pyarrow<11' \
        'protobuf<5' 'google-api-python-client<2' pyfarmhash joblib 'setuptools<70'
    pip install --no-deps tensorflow-data-validation==1.16.1 tfx-bsl==1.16.1 \
        tensorflow-metadata==1.16.1 tensorflow-serving-api==2.16.1
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from google.protobuf import text_format
from tfdv_cases import CASES

import tensorflow_data_validation as tfdv

HERE = Path(__file__).parent


def main() -> None:
    for name, make in CASES.items():
        with tempfile.TemporaryDirectory() as directory:
            found = make(tfdv, Path(directory))
        if isinstance(found, str):
            (HERE / f"{name}.json").write_text(found + "\n")
        else:
            (HERE / f"{name}.pbtxt").write_text(text_format.MessageToString(found))
        print(name)


if __name__ == "__main__":
    main()
