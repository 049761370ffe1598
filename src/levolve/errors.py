"""Everything levolve raises on purpose. A message is one paragraph: which argument, what was expected, what came, what to do."""


class LevolveError(Exception):
    """The call was right, but it could not be done."""

    exit_code = 1


class InputError(LevolveError, ValueError):
    """An argument, a setting or a file is not what was expected."""

    exit_code = 2


class UnknownNameError(InputError, LookupError):
    """A name that no registry entry has."""


class ProofError(LevolveError):
    """A level does not hold a valid proof that it can be won."""


class OutputError(LevolveError):
    """A file or folder could not be written."""
