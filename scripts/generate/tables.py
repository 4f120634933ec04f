"""All tables of a folder, read and validated."""
from generate import (
    advice,
    config,
    csrs,
    events,
    gus,
    hbbp,
    instruction_sample,
    instructions,
    measured,
    memory_map,
    published,
    records,
    result_rows,
    signals,
)


class Tables:
    """The rows of each table: dicts of its columns, and of what its module has made of them (the number that is meant: NAME_n)."""

    def __init__(self, folder):
        self.folder = folder
        self.instructions = instructions.check(folder / "instructions.tsv")
        self.events = events.check(folder / "events.tsv")
        self.pmu_events = events.check_pmu(folder / "pmu_events.tsv", self.events)
        self.keys = config.check_keys(folder / "config_keys.tsv")
        self.csrs = csrs.check(folder / "csrs.tsv", self.keys)
        self.csr_fields = csrs.check_fields(folder / "csr_fields.tsv", self.csrs)
        self.regions = memory_map.check(folder / "memory_map.tsv")
        self.records = records.check(folder / "records.tsv")
        self.instruction_sample = instruction_sample.check(folder / "instruction_sample.tsv")
        self.results = result_rows.check(folder / "results.tsv", [row["name"] for row in self.events])
        self.signals = signals.check(folder / "signals.tsv")
        self.advice = advice.check(folder / "advice.tsv", self.events, {row["unit"] for row in self.instructions})
        self.published = published.check(folder / "published.tsv")
        self.measured = measured.check(folder / "measured")
        self.hbbp = hbbp.check(folder / "hbbp.tsv")
        self.gus = gus.check(folder / "gus.tsv", self.keys, self.measured)
