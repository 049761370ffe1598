"""An example plug-in for levolve: lakes, forests and meadows."""
