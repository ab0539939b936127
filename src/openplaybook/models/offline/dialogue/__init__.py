"""What a conversation has come to: what is under way, which values were said for it, and what words point back at."""
