"""The offline planner: a model without a language model, driven by a playbook's tools and examples.

    language/    words, small talk and sentences, before any agent is known
    spans/       typed values in an utterance: dates, numbers, names, …
    speech/      what a clause does: asks, denies, reports, takes back
    slots/       the parameters of a function, and which words may be their values
    knowledge/   what a playbook's declarations and examples teach
    dialogue/    what a conversation without examples has come to, read from a `situation`

The modules beside them are the planner: `situation` is all that it looks at, the modules called `…_rules` decide, and
`planner` has their order. Each folder imports only those above it. `rehearsals/` puts a playbook's examples to it all.
"""

from openplaybook.models.offline.offline_model import OfflineModel

__all__ = ["OfflineModel"]
