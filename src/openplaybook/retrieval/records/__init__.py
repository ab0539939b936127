"""Documents from lines: newline-delimited JSON, CSV, questions with answers, and the schema that they share."""
