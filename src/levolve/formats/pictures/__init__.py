"""Pictures of levels: PNG, GIF and the terminal, with colours, marks and lines of walks."""
