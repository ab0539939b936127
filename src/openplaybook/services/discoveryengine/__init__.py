"""The Discovery Engine API: stores, their documents, schemas and sites; search, answers and checks of grounding."""
