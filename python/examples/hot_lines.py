#!/usr/bin/env python3
# %% [markdown]
# # Which instructions take the time, and who calls them
# From a sample file, in Python: run it as a script (`python/examples/hot_lines.py my.tips`), or cell by cell in an editor that knows `# %%`.
"""Hottest instructions of a sample file with their state, events and callers; and how the time changes over the run."""
# %%
import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tipoff  # noqa: E402

path = sys.argv[1] if len(sys.argv) > 1 else "my.tips"
try:
    run = tipoff.Samples(path)
except tipoff.Error as error:
    sys.exit(f"hot_lines.py: {error}")
print(f"{run.header['program']} on {run.header['config']}: {len(run.samples)} samples, one every {run.period} cycles")

# %% [markdown]
# ## Instructions
# Each sample's cycles go to its instructions in equal parts: `Samples.time` does that.
# %%
time = run.time()
by_address, states = collections.Counter(), collections.defaultdict(collections.Counter)
for (address, mode, space, state, events), cycles in time.items():
    by_address[address] += cycles
    states[address][", ".join((state, *events))] += cycles
whole = sum(by_address.values())
for address, cycles in by_address.most_common(8):
    why, _ = states[address].most_common(1)[0]
    print(f"{100 * cycles / whole:6.1f} %  {'end of run' if address is None else hex(address):18}  mostly {why}")

# %% [markdown]
# ## Callers
# The stack of a sample is a number; `callers` gives its calls, innermost first.
# %%
called_from = collections.Counter()
for sample in run.samples:
    for lane in sample.lanes:
        called_from[tuple(hex(call.site) for call in run.callers(lane.stack) if call.kind != "root")] += sample.cycles / len(sample.lanes)
for sites, cycles in called_from.most_common(5):
    print(f"{100 * cycles / whole:6.1f} %  called from {' < '.join(sites) or 'nowhere known'}")

# %% [markdown]
# ## Over time
# Twenty windows, and the share of the cycles in each state.
# %%
WINDOWS = 20
last = run.samples[-1].cycle + 1 if run.samples else 1
windows = [collections.Counter() for _ in range(WINDOWS)]
for sample in run.samples:
    windows[sample.cycle * WINDOWS // last][sample.state] += sample.cycles
for i, window in enumerate(windows):
    sums = "  ".join(f"{state} {100 * window[state] / max(1, sum(window.values())):3.0f} %" for state in ("Computing", "Stalled", "Flushed", "Drained"))
    print(f"cycle {i * last // WINDOWS:>12,}  {sums}")
