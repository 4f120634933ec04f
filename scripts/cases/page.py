"""The page of case studies, from their runs."""
from runs import PERIOD, PROFILERS, STATES

TOP = 4  # instructions of each profiler


def table(head, lines, left=1):
    marks = "|".join(["---"] * left + ["---:"] * (len(head) - left))
    return ["| " + " | ".join(head) + " |", f"|{marks}|", *("| " + " | ".join(line) + " |" for line in lines), ""]


def findings(case):
    """What the first instructions of each profiler are, side by side; last, what it has at the culprit."""
    lists = [case.named(profiler, TOP) for profiler in PROFILERS]
    lines = []
    for rank in range(TOP):
        lines.append(
            [str(rank + 1), *(f"{100 * share:.1f} % `{words.split('#')[0].strip()}` {where}" for share, words, where, _ in (found[rank] for found in lists))]
        )
    wanted = case.row["culprit"]
    if "instruction" in wanted:
        shares = [f"{100 * case.sides[0].share(profiler, wanted):.1f} %" for profiler in PROFILERS]
        lines.append([f"all `{case.row['culprit_words']}`", *shares])
    return table(["", *PROFILERS.values()], lines, left=1 + len(PROFILERS))


def sides(case):
    """Cycles, states and gain of each side, and what was predicted of the first."""
    lines = []
    for side in case.sides:
        report = side.profile("Oracle")
        cycles = [f"{report['states'][state] * side.cycles / report['weight']:,.0f}" for state in STATES]
        lines.append([side.name, f"{side.cycles:,}", *cycles, f"{report['instructions']:,}", "" if side is case.sides[0] else f"{case.gain(side):.2f}"])
    return table(["", "cycles", *STATES, "instructions", "times as fast"], lines)


def verdict(case):
    low, high = case.predicted
    predicted = f"{low:.2f}" if high - low < 0.005 else f"{low:.2f} to {high:.2f}"
    published = f"; published: {case.row['published']}" if "published" in case.row else ""
    best = case.best
    return [
        f"**Predicted** from the first run, {case.row['predicts']}: {predicted} times as fast. **Measured**: {case.gain(best):.2f} ({best.name}){published}.{own(case)}",
        "",
    ]


def own(case):
    """Under an operating system: of the program itself, without the kernel."""
    if "linux" not in case.row:
        return ""
    first, best = case.sides[0].own, case.best.own
    return f" In the program itself, without the kernel that starts it and prints: {first:,} cycles before, {best:,} after, {first / best:.2f} times as fast."


def paragraphs(text):
    return [text.strip(), ""]


def section(case, pictures):
    row = case.row
    name = f"{row['linux']}, built by `make linux-programs`, whole under Linux" if "linux" in row else f"`tests/cases/{case.name}.c`"
    return [
        f"## {row['title']}",
        *paragraphs(row["story"]),
        f"The report ({name}):",
        "",
        "```",
        *case.sides[0].words(TOP),
        "```",
        "",
        "What each profiler names first, all sampling in the same cycles of one run:",
        "",
        *findings(case),
        *paragraphs(row["findings"]),
        *sides(case),
        *verdict(case),
        *paragraphs(row["verdict"]),
        *(line for picture in pictures for line in (f"![{picture['alt']}]({picture['file']})", "")),
    ]


def summary(cases):
    lines = []
    for case in cases:
        low, high = case.predicted
        lines.append(
            [
                f"[{case.name}](#{anchor(case.row['title'])})",
                case.row["cause"],
                case.row["change"],
                f"{low:.2f}" if high - low < 0.005 else f"{low:.2f} to {high:.2f}",
                f"{case.gain(case.best):.2f}",
                case.row.get("published", ""),
            ]
        )
    return table(["case", "cause", "change", "predicted", "measured", "published"], lines, left=3)


def anchor(title):
    return "".join(letter for letter in title.lower().replace(" ", "-") if letter.isalnum() or letter in "-_")


def page(cases, pictures, config):
    return (
        "\n".join(
            [
                "# Case studies: from the profile to the change",
                "",
                f"Each case is a pair or a sweep on `{config}`, under every check, a sample every {PERIOD} cycles with jitter. The output of the tool explains the case; beside it stands what profilers in the"
                " manner of today's machines would have said of the same cycles. Cycles cover whole runs, start, input and output included, and are the same each time that the command runs on one core, from one folder: the name of a program is on its stack.",
                "",
                "    make cases                                        # all of it; what was run before is not run again",
                "    scripts/cases/cases.py --only rounding --config small2 --small",
                "",
                "**Predicted** is 1 / (1 - share), the gain if all the time went that goes with the cause, as the exact profile of the first run has it. It is no bound: what waits after a cause is booked elsewhere, and what takes"
                " its place costs time, too.",
                "",
                *summary(cases),
                *(line for case in cases for line in section(case, pictures[case.name])),
            ]
        ).rstrip()
        + "\n"
    )
