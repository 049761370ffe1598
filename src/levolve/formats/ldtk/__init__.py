"""Projects of the LDtk editor."""
