"""The crawler: pages of public websites, taken politely and within limits, and taken again when they change."""
