"""What a cluster of OpenSearch or Elasticsearch is to a caller, over dictionaries."""
