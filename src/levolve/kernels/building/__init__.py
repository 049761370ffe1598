"""What builds levels: automata, trees, rooms, patchwork, windows, and steps that finish them."""
