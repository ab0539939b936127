"""Text of foreign files, in headings, paragraphs, lists and tables; read in child processes, within limits."""
