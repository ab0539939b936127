"""The two names that dfcx-scrapi imports; nothing outside of notebooks calls them."""

Markdown = str
display = print
