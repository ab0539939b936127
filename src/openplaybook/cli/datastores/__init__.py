"""`openplaybook datastores`: the stores that data store tools answer from."""
