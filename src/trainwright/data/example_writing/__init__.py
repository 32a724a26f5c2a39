"""Files of rows (CSV, Parquet, TFRecord) to the files of an Examples artifact."""
