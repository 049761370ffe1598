"""Foundations: errors, events, registries, settings, plug-ins, requests to stop, and what notebooks
show. No NumPy.
"""
