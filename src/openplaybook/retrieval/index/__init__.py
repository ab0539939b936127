"""The index of one store, a folder of tantivy that is derived from the catalog and can always be made anew."""
