"""OpenAPI schemas written from samples of an API's requests and answers, with or without a model.

samples, har         what a caller gives, checked and read as exchanges
kinds, words         what a text looks like; nouns and names
segments, routes     URLs → path templates
known, placing       where an exchange belongs in a document; servers
credentials          told apart from parameters, never kept
observed, parameters parameters as samples show them
shapes, enums        values → a schema that holds for all of them
widening, spelling   a schema and values → the schema that holds for the values too
operations           one operation, new or known, and its exchanges
components           shapes that several places share, by name
absorbing            exchanges into a document
generation           the whole way without a model: from samples to YAML

asking               what a model is asked
drafts               its answer, made harmless and held against the rules and the samples
joining              its document into one that is there
drafting             the whole way with a model
"""
