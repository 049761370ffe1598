"""Maps of the Tiled editor: TMX and TMJ are two encodings of the same model."""
