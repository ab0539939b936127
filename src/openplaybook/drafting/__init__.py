"""OpenAPI schemas written from samples of an API's requests and answers, with or without a model.

samples, har                             what a caller gives, checked and read as exchanges
text_formats, api_words                  what a text looks like; nouns and names
path_segments, path_templates            URLs → path templates
known_paths, placement                   where an exchange belongs in a document; servers
credentials                              told apart from parameters, never kept
observed_parameters, parameter_schemas   parameters as samples show them
schema_inference                         values → a schema that holds for all of them
widener                                  a schema and values → the schema that holds for the values too
operation_update                         one operation, new or known, and its exchanges
components                               shapes that several places share, by name
document_tree                            the objects of a document, looked up, made and changed
sample_merge                             exchanges into a document
schema_generation                        the whole way without a model: from samples to YAML

draft_prompt                             what a model is asked
draft_review                             its answer, made harmless and held against the rules and the samples
document_merge                           its document into one that is there
draft_dialogue                           the whole way with a model
"""
