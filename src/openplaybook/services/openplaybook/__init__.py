"""What we offer beyond Google's API: the service `openplaybook.v1.OpenPlaybook`."""
