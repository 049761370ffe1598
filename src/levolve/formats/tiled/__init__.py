"""Maps of the Tiled editor: TMX and TMJ are two ways to write the same model down."""
