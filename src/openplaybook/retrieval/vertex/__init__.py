"""A search engine that is Vertex AI Search: stores of the same names at Google are filled and searched."""
