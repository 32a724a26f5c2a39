"""ML Metadata's records in SQLite, in the tables and the version that the library itself uses."""
