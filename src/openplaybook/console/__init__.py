"""The web console's built files, as the server sends them. Its sources are in the folder `console` of the project."""
