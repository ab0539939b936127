"""What stores hold, kept in SQLite or PostgreSQL: the source of truth, from which every index can be made anew."""
