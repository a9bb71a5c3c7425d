"""The norms: one folder each, found by walking (`lastro.lawkit.library`). No list to edit."""
