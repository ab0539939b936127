"""Search over stores of documents, and answers from what is found: a library of its own, without agents or tools."""
