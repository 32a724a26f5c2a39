"""The operators, by what they look at: lists, spans, lineage, models."""
