"""The version of tipoff: of the command, of this module, of packages. It stands here alone."""

__version__ = "0.1"
