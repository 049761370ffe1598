"""One level of each shipped recipe, for the first screen of the studio. Written by `docs/studio_samples.py`."""
