"""Statistics, schemas and anomalies as pages: one HTML file each, without a server or a network."""
