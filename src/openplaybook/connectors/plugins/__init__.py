"""Systems that neither SQL nor a manifest fits: files, objects, documents, graphs."""
