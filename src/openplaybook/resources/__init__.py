"""Resource names, masks, paging, etags, validation, and the compiled forms of playbooks and examples."""
