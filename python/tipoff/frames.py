"""Samples, profiles, results, traces and statistics as pandas data frames, where pandas is (Debian: python3-pandas)."""
from .container import Error
from .samples import Samples, STATES
from .traces import Cycle, Signals, Trace

OF_SAMPLE = "cycle", "state", "exception", "flush", "mispredict", "hart", "mode", "space", "partial", "data_of", "data"
OF_TIME = "address", "mode", "space", "state", "events", "cycles"


def _pandas():
    try:
        import pandas
    except ImportError as error:
        raise Error(f"pandas: cannot be imported ({error}): install it (Debian: apt install python3-pandas), or use the lists of this module") from None
    return pandas


def frame(of, what="samples"):
    """A data frame of what the module has read.

    of: Samples; then what is one of
        "samples"         a row a lane of a sample, whose `cycles` are its part of the sample's, so that they sum up to the run's; address and events are
                          missing where a sample has no lane; the stalled part of a Drained sample is a row of its own in state Stalled
        "time"            cycles by address, mode, space, state and events: Samples.time
        a profiler's name ("Oracle", "TIP", ...): the rows of its profile, in cycles
        a result's name   its rows (docs/reference/results.md); address, mode and space of a place NAME are NAME, NAME_mode and NAME_space
    of: Trace; a row for each run of equal cycles, lists by lane. of: Signals; cycle, count and a column for each signal.
    of: a dict of statistics; name and value, names of members within others joined by points.
    Events are tuples of names. An Error without pandas, or where `what` is no name of these.
    """
    pandas = _pandas()
    if isinstance(of, Samples):
        return _exact(pandas, *_of_samples(of, what))
    if isinstance(of, Trace):
        return _exact(pandas, list(of), Cycle._fields)
    if isinstance(of, Signals):
        return _exact(pandas, [(cycle, count, *values) for cycle, count, values in of], ["cycle", "count", *of.columns])
    if isinstance(of, dict):
        return _exact(pandas, list(_flat(of, "")), ["name", "value"])
    raise Error(f"frame: {type(of).__name__}: is none of Samples, Trace, Signals or a dict of statistics: give one of these")


def _exact(pandas, rows, columns=None):
    """Integers stay what they are beside missing ones: pandas by itself makes floating point of both, which has no room for an address of the kernel."""
    made = pandas.DataFrame(rows, columns=columns, dtype=object)
    for name in made:
        kinds = {type(value) for value in made[name]} - {type(None)}
        if kinds == {int}:
            made[name] = made[name].astype("Int64" if min(value for value in made[name] if value is not None) < 0 else "UInt64")
        elif len(kinds) == 1:
            made[name] = made[name].infer_objects()
    return made


def _of_samples(run, what):
    """Rows, and the names of their columns."""
    if what == "samples":
        return list(_lanes(run)), [*OF_SAMPLE, "cycles", "address", "events", "stack"]
    if what == "time":
        return [(*key, cycles) for key, cycles in run.time().items()], list(OF_TIME)
    if what in run.profiles:
        rows = [(r.address, r.mode, r.space, r.state, r.events, r.weight / run.units, r.stack) for r in run.profiles[what]]
        return rows, [*OF_TIME, "stack"]
    if what in run.results:
        return [dict(_placed(row)) for row in run.results[what]], None
    raise Error(f"{run.path}: has no {what!r}: it has samples, time, {', '.join([*run.profiles, *run.results])}")


def _lanes(run):
    stalled = STATES[1]
    for s in run.samples:
        fixed = {name: getattr(s, name) for name in OF_SAMPLE}
        if s.stalled_cycles:
            lane = s.lanes[0] if s.lanes else None
            yield _lane({**fixed, "state": stalled}, s.stalled_cycles, lane)
        rest = s.cycles - s.stalled_cycles
        if rest:
            for lane in s.lanes or [None]:
                yield _lane(fixed, rest / max(len(s.lanes), 1), lane)


def _lane(fixed, cycles, lane):
    return (*fixed.values(), cycles, *((lane.address, lane.events, lane.stack) if lane else (None, (), None)))


def _placed(row):
    for name, value in row.items():
        if isinstance(value, tuple):
            yield from zip((name, f"{name}_mode", f"{name}_space"), value)
        else:
            yield name, value


def _flat(value, name):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list) and any(isinstance(inner, (dict, list)) for inner in value):
        for i, inner in enumerate(value):
            yield from _flat(inner, f"{name}.{i}")
    else:
        yield name, value
