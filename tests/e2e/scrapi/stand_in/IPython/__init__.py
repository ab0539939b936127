"""Stands in for IPython, which dfcx-scrapi imports to show results in notebooks but does not require."""
