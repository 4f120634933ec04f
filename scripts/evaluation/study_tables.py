"""The evaluation's tables of the study (study.py): which cycles to sample, and how chance is beaten."""
import pathlib
import statistics

IDEAS = {  # idea: (what, what it needs, the variance for N interrupts)
    "independent": ("independent draws", "", "c0 / N, c0 = E f² - p²"),
    "stratified": ("stratified: one trigger anywhere in each period", "32 flip-flops: where the last one was", "(E f² - E (mean of f in a period)²) / N"),
    "golden": (
        "golden: the same at the fraction k × 0.618...",
        "none, at periods of a power of two: the shift register's 32 become an accumulator",
        "short loops: error ~ log N / N; else as stratified",
    ),
    "fractional": ("fractional: every period + 0.618...", "none: software writes period or period + 1", "likewise"),
    "consecutive": ("4 consecutive cycles a sample", "3 more samples in the buffer: 180 bytes at 4 lanes", "(c0 + 2 Σ (1 - d/4) c_d) / 4N"),
    "buffered": ("4 samples an interrupt: stratified, four times as often", "the same", "stratified at a quarter of the period"),
    "counted": (
        "executions, counted exactly, × sampled time of one",
        "12 bits: how long the sampled one was exposed; counts from a functional run, or an E-Trace encoder",
        "E f² (1 - t/e)² / N",
    ),
    "pooled": ("the block's sampled time, parted by the sampled time of one execution", "12 bits", "E (w (F - G) + g)² / N - p² / N, g = f (1 - t/e)"),
    "blocks": ("`--pool blocks`: commits by block × the sampled share of one", "none", "E (s m + c - s k + w)² / N - p² / N"),
    "counts": ("`--pool counts`: executions, counted exactly, × the sampled share of a commit", "none; counts", "E (c - s k + w)² / N - (E w)² / N"),
    "golden, blocks": ("golden, `--pool blocks`", "none", ""),
    "golden, counts": ("golden, `--pool counts`", "none; counts", ""),
    "golden, counted": ("golden, counted", "12 bits; counts", ""),
    "golden, pooled": ("golden, pooled", "12 bits", ""),
    "golden, buffered": ("golden, 4 samples an interrupt", "180 bytes", ""),
    "golden, buffered, pooled": ("golden, 4 samples an interrupt, pooled", "185 bytes", ""),
    "golden, buffered, counts": ("golden, 4 samples an interrupt, `--pool counts`", "180 bytes; counts", ""),
}
WORST = 8


def table(head, lines, left=1):
    marks = "|".join(["---"] * left + ["---:"] * (len(head) - left))
    return ["| " + " | ".join(head) + " |", f"|{marks}|", *("| " + " | ".join(line) + " |" for line in lines), ""]


def mode_table(found):
    """Error as a multiple of chance's: mean and maximum over programs."""
    periods, lines = found[0]["periods"], []
    for name in found[0]["modes"]:
        ratios = [[one["modes"][name][i] / one["floor"][i] for one in found] for i in range(len(periods))]
        lines.append([name, *(f"{statistics.fmean(of):.2f}, {max(of):.2f}" for of in ratios)])
    return table(["triggers", *map(str, periods)], lines)


def beat_table(found):
    worst = sorted(found, key=lambda one: -one["beat"]["modes"]["periodic"] / one["beat"]["floor"])[:WORST]
    names = [name for name in found[0]["modes"] if name != "independent"]
    lines = [
        [
            one["program"].split(".")[0],
            str(one["beat"]["period"]),
            f"{100 * one['beat']['floor']:.1f}",
            *(f"{100 * one['beat']['modes'][name]:.1f}" for name in names),
        ]
        for one in worst
    ]
    return table(["program", "period", "chance", *names], lines)


def idea_table(found, period):
    i, lines = found[0]["periods"].index(int(period)), []
    for name, (what, needs, formula) in IDEAS.items():
        errors = [one["ideas"][period][name] for one in found]
        ratios = [error[0] / one["floor"][i] for error, one in zip(errors, found)]
        theory = "" if errors[0][1] is None else f"{statistics.fmean(error[1] for error in errors):.2f}"
        lines.append(
            [
                what,
                needs,
                formula,
                theory,
                f"{statistics.fmean(ratios):.2f}",
                f"{max(ratios):.2f}",
                f"{100 * statistics.fmean(error[0] for error in errors):.2f}",
            ]
        )
    return table(["idea", "hardware", "variance", "theory", "measured", "worst", "error"], lines, left=3)


def said(name):
    """What the tables say, in words, if somebody has written it down for this set."""
    path = pathlib.Path(__file__).resolve().parent / f"study-{name}.md"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [*(line for line in lines if not line.startswith("#")), ""] if lines else []


def sections(name, found, size, picture):
    lines = [
        "## Which cycles to sample",
        "",
        f"Drawn offline from a trace of every cycle (size {size}, at most a million cycles), four profiles of each kind. The error of TIP by instruction as a multiple of chance's, by period: mean and maximum over programs.",
        "",
        *mode_table(found),
        *picture,
        "Beats: the period from 16 to 511 at which periodic sampling is worst for its number of samples, the programs in which that is most, and the error of the others there in percent:",
        "",
        *beat_table(found),
        "## Beating chance",
        "",
        "The same error for the same number of interrupts. f: the part of a cycle that an instruction has, p its mean, c_d its autocovariance over d cycles; t: the time of an execution, e that of the sampled one; F, G: sums of f and g over a"
        " block, w the instruction's part of its time (with c: its part of a cycle in which it waits); c: its part of one in which it commits, k = 1 then, s = E c / E k, m: the mean of k over its block. Theory: the sum of the instructions' standard deviations over that of independent draws; measured, and worst: error over that of chance, mean and maximum over programs; error: the mean in percent.",
        "",
    ]
    for period in found[0]["ideas"]:
        lines += [f"Period {period}:", "", *idea_table(found, period)]
    return lines + said(name)
