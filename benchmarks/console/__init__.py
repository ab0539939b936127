"""The console in a browser: how soon it can be used, and whether what is huge stays fluid."""
