"""What it costs, measured against what else there is. `python -m benchmarks [NAME …]` runs and reports."""
