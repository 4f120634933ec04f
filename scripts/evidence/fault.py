"""A fault of the sample: what is changed where, and which half of the sample it is in."""
import collections

Fault = collections.namedtuple("Fault", "number id room path function what original code")
Fault.__doc__ = """number: chooses it in its build. id: stays when lines move. room: what it counts for. code: digest of what surrounds it: another
one, and what was said of the fault holds no more."""


def half(fault_id):
    """`choose`: what the short suite may be chosen by; `state`: what its number is stated with."""
    return ("choose", "state")[int(fault_id[-1], 16) & 1]
