"""Messages of ML Metadata: what a metadata store holds and how one is opened."""
