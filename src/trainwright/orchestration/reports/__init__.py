"""Reports: a run as people see it while it goes on."""
