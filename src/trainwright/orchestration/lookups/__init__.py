"""Lookups: Resolver and Importer, nodes that only ask the store."""
