"""Contents that are no levels: spaces of numbers, arrays and dictionaries, and problems whose objective is any function."""
