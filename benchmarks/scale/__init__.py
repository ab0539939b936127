"""One PostgreSQL with 0.1, 0.3 and 1 million sessions: sizes of tables and indexes, and what turns and retention cost.

filling      sessions written by the database itself, in the form that the store writes them
measuring    sizes, turns held through the store, expired sessions deleted
__main__     the table in docs/scale.md
"""
