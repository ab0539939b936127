"""Sessions: who may run a turn of one, what it held, which requests were made before."""
