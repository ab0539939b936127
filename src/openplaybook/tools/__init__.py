"""What a playbook can call: one package per tool kind, and the toolbox."""
