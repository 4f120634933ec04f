"""The evaluation's tables, from the rows of its sweep."""
import csv
import math
import pathlib
import statistics

import study_tables

PUBLISHED = pathlib.Path(__file__).resolve().parents[2] / "tables/published.tsv"
# In the order of the published tables; those that are one profile under two names stand once.
PROFILERS = ("TIP", "TIP-ILP", "NCI", "NCI+ILP", "LCI", "Dispatch", "Fetch", "Software")
STACKS = ("TEA", "NCI-TEA", "IBS", "SPE", "RIS")
POOLED = ("TIP", "TIP (blocks)", "TIP (counts)")
POOLING = (
    "`tipoff report --pool` (profiling.md): time in Computing is executions times the share that an instruction has of the cycle in which it commits. *blocks* takes executions from the sampled commits of its basic block,"
    " *counts* from the run's exact counts. Nothing is added to the unit. Triggers jittered, as elsewhere, and by the golden ratio (`--jitter-kind golden`, sampling.md), both by the unit in the core's model."
    " In brackets the error as a multiple of chance's with as many samples."
)
UNITS = ("instruction", "block", "function", "application")
FLOORS = ("instruction", "block", "function")
BEYOND = 3  # deviations of chance that an error has to be beyond it to be called bias
FAR = 1 / 3  # ours and the published figure differ by more than that: a sentence is due


def published():
    lines = [line for line in PUBLISHED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {(row["what"], row["profiler"], row["unit"], row["statistic"]): float(row["value"]) for row in csv.DictReader(lines, delimiter="\t")}


def percent(value, digits=1):
    return "" if value is None else f"{100 * value:.{digits}f}"


def table(head, lines, left=1):
    marks = "|".join(["---"] * left + ["---:"] * (len(head) - left))
    return ["| " + " | ".join(head) + " |", f"|{marks}|", *("| " + " | ".join(line) + " |" for line in lines), ""]


def at(rows, period):
    return [row for row in rows if row["period"] == period]


def programs_of(rows):
    return {row["program"] for row in rows}


def of_what(rows):
    real = sum(row["program"].startswith("linux:") for row in rows)
    return f"{len(rows) - real} workloads{f' and {real} programs under Linux (programs.md), each from its middle on' if real else ''}"


def triggers(row):
    return row["samples"] + row["repeats"]


def by_program(rows):
    lines = []
    for row in rows:
        chance = f"{percent(row['chance.instruction'], 2)} ± {percent(row['chance_deviation.instruction'], 2)}"
        errors = (percent(row[f"error.{name}.instruction"], 2 if name == "TIP" else 1) for name in PROFILERS)
        lines.append([row["program"].split(".")[0], f"{triggers(row):,.0f}", chance, *errors])
    for name, of in (("mean", statistics.fmean), ("median", statistics.median), ("maximum", max)):
        lines.append(
            [
                f"**{name}**",
                "",
                percent(of([row["chance.instruction"] for row in rows]), 2),
                *(percent(of([row[f"error.{p}.instruction"] for row in rows]), 2 if p == "TIP" else 1) for p in PROFILERS),
            ]
        )
    return table(["program", "samples", "chance", *PROFILERS], lines)


def bias(rows):
    """Error less chance: its mean, and on how many programs it is beyond chance; TEA's stacks against the chance of stacks."""

    def cells(error, chance):
        beyond = [row[f"{error}"] - row[f"{chance}"] for row in rows]
        sure = sum(more > BEYOND * row[chance.replace(".", "_deviation.", 1)] for more, row in zip(beyond, rows))
        return f"{100 * statistics.fmean(beyond):+.1f}, {sure} of {len(rows)}"

    lines = [[name, *(cells(f"error.{name}.{unit}", f"chance.{unit}") for unit in FLOORS)] for name in PROFILERS]
    lines.append(["TEA's cycle stacks", *(cells(f"stacks.TEA.{unit}", f"chance_stacks.{unit}") for unit in FLOORS)])
    return table(["profiler", *FLOORS], lines)


def summary(rows, what, profilers):
    """Mean, median and maximum by granularity, and the published figure in brackets where there is one."""
    known, lines = published(), []
    for name in profilers:
        cells = [name]
        for unit in UNITS:
            values = [row[f"{what}.{name}.{unit}"] for row in rows]
            said = [known.get((what, name, unit, statistic)) for statistic in ("mean", "maximum")]
            words = ", ".join(f"{percent(value)} {'max' if i else ''}".strip() for i, value in enumerate(said) if value is not None)
            cells.append(
                f"{percent(statistics.fmean(values))}, {percent(statistics.median(values))}, {percent(max(values))}" + (f" ({words})" if words else "")
            )
        lines.append(cells)
    return table(["profiler", *UNITS], lines)


def excess(rows, unit):
    """Mean over programs of error less chance, and its standard error over programs."""
    found = {}
    for name in PROFILERS:
        beyond = [row[f"error.{name}.{unit}"] - row[f"chance.{unit}"] for row in rows]
        found[name] = statistics.fmean(beyond), statistics.stdev(beyond) / math.sqrt(len(beyond)) if len(beyond) > 1 else 0.0
    return found


def rates(rows, periods, unit):
    lines = []
    for period in periods:
        chosen = at(rows, period)
        beyond = excess(chosen, unit)
        lines.append(
            [
                str(period),
                f"{statistics.median(triggers(row) for row in chosen):,.0f}",
                percent(statistics.fmean(row[f"chance.{unit}"] for row in chosen)),
                *(f"{percent(statistics.fmean(row[f'error.{name}.{unit}'] for row in chosen))} ({100 * beyond[name][0]:+.1f})" for name in PROFILERS),
            ]
        )
    return table(["period", "samples", "chance", *PROFILERS], lines, left=0)


def pooled_cell(rows, name):
    """Mean error; in brackets as a multiple of chance's, mean and maximum over programs."""
    ratios = [row[f"error.{name}.instruction"] / row["chance.instruction"] for row in rows]
    return f"{percent(statistics.fmean(row[f'error.{name}.instruction'] for row in rows), 2)} ({statistics.fmean(ratios):.2f}, {max(ratios):.2f})"


def pooled_program(row):
    return [f"{percent(row[f'error.{name}.instruction'], 2)} ({row[f'error.{name}.instruction'] / row['chance.instruction']:.2f})" for name in POOLED]


def pooled_programs(kinds):
    """By program; kinds: {triggers: rows}."""
    found = []
    for kind, mine in kinds.items():
        if not mine:
            continue
        lines = [[row["program"].split(".")[0], f"{triggers(row):,.0f}", percent(row["chance.instruction"], 2), *pooled_program(row)] for row in mine]
        for name, of in (("mean", statistics.fmean), ("median", statistics.median), ("maximum", max)):
            cells = (
                f"{percent(of([row[f'error.{p}.instruction'] for row in mine]), 2)} ({of([row[f'error.{p}.instruction'] / row['chance.instruction'] for row in mine]):.2f})"
                for p in POOLED
            )
            lines.append([f"**{name}**", "", percent(of([row["chance.instruction"] for row in mine]), 2), *cells])
        found += [f"Triggers {kind}, period {mine[0]['period']:.0f}:", "", *table(["program", "samples", "chance", *POOLED], lines)]
    return found


def pooled(chosen, rows, first):
    """The samples pooled: by program with the headline's samples, and at each period; jittered, and with triggers by the golden ratio."""
    found = pooled_programs({"jittered": first, "golden": rows.get("golden", [])})
    lines = []
    for kind, part in (("jittered", "rates"), ("golden", "golden_rates")):
        for period in chosen[part]["periods"]:
            mine = at(rows[part], period)
            lines.append(
                [
                    kind,
                    str(period),
                    f"{statistics.median(triggers(row) for row in mine):,.0f}",
                    percent(statistics.fmean(row["chance.instruction"] for row in mine), 2),
                    *(pooled_cell(mine, name) for name in POOLED),
                ]
            )
    return [
        *found,
        f"By period, {len(programs_of(rows['rates']))} programs of size {chosen['rates']['size']}: mean error; in brackets as a multiple of chance's, mean and maximum over programs:",
        "",
        *table(["triggers", "period", "samples", "chance", *POOLED], lines),
    ]


def far_apart(rows):
    """Where ours and the published mean differ by more than a third."""
    lines = []
    for (what, name, unit, statistic), value in published().items():
        if what not in ("error", "stacks"):
            continue
        ours = [row[f"{what}.{name}.{unit}"] for row in rows]
        got = statistics.fmean(ours) if statistic == "mean" else max(ours)
        if abs(got - value) > FAR * value:
            lines.append([f"{'cycle stacks of ' * (what == 'stacks')}{name}", unit, statistic, percent(got), percent(value)])
    return table(["profiler", "granularity", "", "ours", "published"], lines, left=3) if lines else ["None.", ""]


def pooling_page(chosen, rows, first):
    return (
        "\n".join(
            [
                "# The same samples, pooled",
                "",
                f"`{chosen['config']}`, {of_what(first)}, {sum(map(len, rows.values()))} runs. `make evaluation` has the same for more samples ([evaluation.md](evaluation.md)).",
                "",
                POOLING,
                "",
                *pooled(chosen, rows, first),
                *why("pooling"),
            ]
        ).rstrip()
        + "\n"
    )


def linux_page(chosen, rows):
    part, samples = chosen["headline"], [triggers(row) for row in rows]
    return (
        "\n".join(
            [
                "# Evaluation on programs under Linux",
                "",
                f"`{chosen['config']}`, {len(rows)} programs (programs.md), of each a region of {part['cycles']:,} cycles from the middle of its run on, kernel and firmware included; sampling with jitter,"
                " all profilers in the same cycles. What the columns mean: [evaluation.md](evaluation.md), which says in its first line which programs its headline has.",
                "",
                "## Error by instruction",
                "",
                f"Period {part['periods'][0]}: {min(samples):,.0f} to {max(samples):,.0f} samples.",
                "",
                *by_program(rows),
                "## Error by granularity",
                "",
                "Mean, median and maximum; in brackets what was published, with triggers at a fixed period; TIP's mean by instruction is that of random ones, which ours are like (1.6 with a fixed period).",
                "",
                *summary(rows, "error", PROFILERS),
                "Cycle stacks:",
                "",
                *summary(rows, "stacks", STACKS),
                "## Bias of each profiler",
                "",
                f"The mean of the error less chance; and on how many programs the error is more than {BEYOND} standard deviations beyond chance.",
                "",
                *bias(rows),
                "## Pooled",
                "",
                POOLING.replace(
                    "Triggers jittered, as elsewhere, and by the golden ratio (`--jitter-kind golden`, sampling.md), both by the unit in the core's model.",
                    "Triggers jittered.",
                ),
                "",
                *pooled_programs({"jittered": rows}),
                *why("linux"),
            ]
        ).rstrip()
        + "\n"
    )


def page(name, chosen, first, all_rows, found, took, drawn):
    rows = all_rows["rates"]
    part = chosen.get("headline", chosen["rates"])
    periods, samples = chosen["rates"]["periods"], [triggers(row) for row in first]
    cut = lambda of: f", the first {of['cycles']:,} cycles" if "cycles" in of else ""
    link = lambda key: [f"![{key}]({drawn[key]})", ""] if key in drawn else []
    return (
        "\n".join(
            [
                "# Evaluation: which profiler is right",
                "",
                f"`{chosen['config']}`, {of_what(first)}, sampling with jitter, all profilers in the same cycles. {sum(map(len, all_rows.values()))} runs"
                f" and {len(found)} traces, {took:,.0f} s in all (finished ones are not repeated). Every figure is a part of the time in percent; an error is the part that a profile has at another place than the Oracle (docs/guide/profiling.md).",
                "",
                "*Chance* is the error of as many independent draws of cycles from the Oracle's own distribution, in closed form (`csrc/analysis/chance.h`), with the standard deviation that it has from one profile to the next."
                " What an error has beyond it is bias: more samples do not help. Samples are triggers: those of one wait are in one record, which says how many they are.",
                "",
                "## By instruction",
                "",
                f"Size {part['size']}{cut(part)}, period {part['periods'][0]}: {min(samples):,.0f} to {max(samples):,.0f} samples.",
                "",
                *by_program(first),
                *link("programs"),
                "## By granularity",
                "",
                "Mean, median and maximum over the programs; in brackets what was published, with triggers at a fixed period; TIP's mean by instruction is that of random ones, which ours are like (1.6 with a fixed period).",
                "",
                *summary(first, "error", PROFILERS),
                *link("granularities"),
                "Cycle stacks, each against the Oracle's on the profiler's own events:",
                "",
                *summary(first, "stacks", STACKS),
                *link("stacks"),
                "## Bias",
                "",
                f"The mean of the error less chance; and on how many programs the error is more than {BEYOND} standard deviations beyond chance. Below chance: triggers a period apart miss less than independent ones.",
                "",
                *bias(first),
                "## Error against number of samples",
                "",
                f"{len(programs_of(rows))} programs of size {chosen['rates']['size']}{cut(chosen['rates'])}. Means over the programs, at the level of instructions; in brackets the error less chance. Samples: the median.",
                "",
                *rates(rows, periods, "instruction"),
                *link("rates"),
                "By function:",
                "",
                *rates(rows, periods, "function"),
                "## The same samples, pooled",
                "",
                POOLING,
                "",
                *pooled(chosen, all_rows, first),
                *study_tables.sections(name, found, chosen["study"]["size"], link("modes")),
                "## Where ours and the published figures differ by more than a third",
                "",
                *far_apart(first),
                *together(first),
                *why(name),
            ]
        ).rstrip()
        + "\n"
    )


def why(name):
    path = pathlib.Path(__file__).resolve().parent / f"why-{name}.md"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line for line in lines if not line.startswith("#")]


def together(rows):
    """Instructions in a cycle in which any commit, over the programs."""
    found = [row["instructions"] / row["state_cycles.Computing"] for row in rows]
    return [
        f"In a cycle in which any instruction of these programs commits, {statistics.fmean(found):.2f} do on average over the programs ({min(found):.2f} to {max(found):.2f}).",
        "",
    ]
