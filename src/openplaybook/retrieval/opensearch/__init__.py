"""A search engine for many servers: OpenSearch from version 2 on, or Elasticsearch from version 8 on."""
