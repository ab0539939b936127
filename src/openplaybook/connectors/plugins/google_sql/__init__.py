"""BigQuery and Spanner by their REST APIs: tables as entity types, rows as entities, GoogleSQL with parameters."""
