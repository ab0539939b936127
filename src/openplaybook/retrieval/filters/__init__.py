"""The filter expressions of data stores (`country: ANY("Canada") AND price < 100`): syntax tree, parser, evaluation."""
