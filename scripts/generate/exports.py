"""What is generated: a row a file, with the function that writes it."""
from generate import (
    advice,
    config,
    csrs,
    device_tree,
    digests,
    events,
    gus,
    hbbp,
    instruction_sample,
    instructions,
    memory_map,
    published,
    record_bits,
    records,
    results,
    signals,
    version,
)

# function(tables): what does not depend on a configuration
COMMON = (
    ("instructions.h", instructions.c),
    ("events.h", events.c),
    ("advice_rules.h", advice.c),
    ("published.h", published.c),
    ("csrs.h", csrs.c),
    ("memory_map.h", memory_map.c),
    ("records.h", records.c),
    ("instruction_sample.h", instruction_sample.c),
    ("results.h", results.c),
    ("result_fields.h", results.c_fields),
    ("result_names.py", results.python),
    ("signals.h", signals.c),
    ("signals.svh", signals.sv_calls),
    ("machine.dts", device_tree.with_fp),
    ("machine-no-fp.dts", device_tree.without_fp),
    ("device_tree.h", device_tree.c),
    ("config_keys.h", config.c_keys),
    ("version.h", version.c),
    ("hbbp.tsv", hbbp.tsv),
    ("tables_digest.h", digests.c),
    ("events.md", events.doc),
    ("advice.md", advice.doc),
    ("pmu_events.md", events.doc_pmu),
    ("csrs.md", csrs.doc),
    ("instructions.md", instructions.doc),
    ("records.md", records.doc),
    ("instruction_sample.md", instruction_sample.doc),
    ("results.md", results.doc),
    ("signals.md", signals.doc),
    ("config_keys.md", config.doc_keys),
)

# function(tables, config): what the RTL is compiled with; in the order that the model's digest is made in
PACKAGES = (
    ("config_pkg.sv", config.sv),
    ("instructions_pkg.sv", instructions.sv),
    ("events_pkg.sv", events.sv),
    ("csrs_pkg.sv", csrs.sv),
    ("memory_map_pkg.sv", memory_map.sv),
    ("records_pkg.sv", records.sv),
    ("instruction_sample_pkg.sv", instruction_sample.sv),
)

# function(tables, config, model): what else belongs to a configuration; model is the digest of all that a model is made of
OF_CONFIG = (
    ("config.h", config.c),
    ("record_bits.h", record_bits.c),
    ("model_digest.h", digests.c_model),
    ("config.json", config.as_json),
    ("event_sets_pkg.sv", events.sv_sets),
    ("gus.tsv", gus.tsv),
)


def common(tables):
    """Name and text of each file that does not depend on a configuration."""
    return {file: write(tables) for file, write in COMMON}


def of_config(tables, name):
    """Name and text of each file of that configuration."""
    chosen = config.read(tables, name)
    packages = {file: write(tables, chosen) for file, write in PACKAGES}
    model = digests.model_digest([*packages.values(), signals.sv_calls(tables)])
    return packages | {file: write(tables, chosen, model) for file, write in OF_CONFIG}
