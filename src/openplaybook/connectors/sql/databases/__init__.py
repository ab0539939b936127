"""One file for each family of databases: how it is dialled, what it does differently, what its errors mean."""
