"""A fault of the sample: what is changed where, and which half of the sample it is in."""
import collections

Fault = collections.namedtuple("Fault", "number id room path function what original code start end", defaults=(0, 0))
Fault.__doc__ = """number: chooses it in its build. id: stays when lines move. room: what it counts for. code: digest of what surrounds it: another
one, and what was said of the fault holds no more. start, end: what of the file is changed, in its bytes or characters."""


def half(fault_id):
    """`choose`: what the short suite may be chosen by; `state`: what its number is stated with."""
    return ("choose", "state")[int(fault_id[-1], 16) & 1]


def layers(faults):
    """The faults in sets in which none is inside another, or in the same place: only then each does there what it does alone."""
    sets = []
    for fault in sorted(faults, key=lambda one: (one.path, one.start, one.end)):
        home = next((own for own in sets if own[-1].path != fault.path or own[-1].end <= fault.start), None)
        if home is None:
            sets.append([fault])
        else:
            home.append(fault)
    return sets
