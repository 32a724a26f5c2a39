"""Statistics, schemas, anomalies and evaluations as pages: one HTML file each, no server."""
