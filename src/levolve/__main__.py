"""`python -m levolve` is the command `levolve`."""

from levolve.cli.app import main

main()
