"""What searching has to know of languages: which one a text is in, its terms, its stop words, its sentences."""
