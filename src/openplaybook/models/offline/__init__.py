"""The offline planner: a model without a language model, driven by a playbook's tools and examples."""

from openplaybook.models.offline.offline_model import OfflineModel

__all__ = ["OfflineModel"]
