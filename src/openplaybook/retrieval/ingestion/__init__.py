"""Filling stores: what a source has is compared with what a store has, read where it is new, and put in batches."""
