"""The one place where parts are wired together: settings, start-up, drain, background work, health."""
