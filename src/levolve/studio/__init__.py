"""The studio: a local web page to watch evolution, breed levels by eye, play them and take files
away.

The server is a FastAPI application on 127.0.0.1. It contains no logic of its own: it calls the
library and presents events and results.
"""
