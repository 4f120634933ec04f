"""The published picture of cycle stacks, from our runs: of the three instructions with most time, by the Oracle, the time that each profiler gives them, by what they met."""
import collections
import hashlib
import json
import pathlib
import subprocess

from pictures import COLOURS, numbers, plotted

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = ROOT / "build/bin/tipoff"
PROFILERS = ("Oracle", "TEA", "NCI-TEA", "IBS", "SPE", "RIS")
PERIOD, MOST, INSTRUCTIONS, SHOWN = 37, 1_000_000, 3, 6


def report(samples, profiler):
    done = subprocess.run([TIPOFF, "report", "--format", "json", "--top", "0", "--profiler", profiler, samples], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def measured(config, program, folder):
    """{"instructions": words, "stacks": {profiler: [{vector in words: part of the time} by instruction]}}; a run that was made before, of the same command, model and program, is not made again."""
    elf = ROOT / f"build/workloads/{program}.elf"
    key = hashlib.sha256(b"".join(path.read_bytes() for path in (TIPOFF, ROOT / f"build/{config}/model.so", elf))).hexdigest()[:16]
    kept = folder / f"stacks-{program}-{key}.json"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        samples = kept.with_suffix(".tips")
        subprocess.run(
            [TIPOFF, "run", "--quiet", "--config", config, "--period", str(PERIOD), "--jitter=2", "--max-cycles", str(MOST), "--samples", samples, elf],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        reports = {profiler: report(samples, profiler) for profiler in PROFILERS}
        samples.unlink()
        hottest = sorted(reports["Oracle"]["units"], key=lambda unit: -unit["weight"])[:INSTRUCTIONS]
        found = {"instructions": [f"{unit['instruction'].split()[0]} {unit['name']}" for unit in hottest], "stacks": {}}
        for profiler, data in reports.items():
            units, stacks = {unit["unit"]: unit for unit in data["units"]}, []
            for one in hottest:
                stack = collections.Counter()
                for part in units.get(one["unit"], {"stack": []})["stack"]:
                    met = [event for bit, event in enumerate(data["events"]) if part["psv"] >> bit & 1]
                    stack["+".join(met) or "Base"] += part["weight"] / data["weight"]
                stacks.append(stack)
            found["stacks"][profiler] = stacks
        kept.write_text(json.dumps(found), encoding="utf-8")
    return json.loads(kept.read_text(encoding="utf-8"))


def parts(found):
    """The vectors that have most time in all, Base first; what is left is one more."""
    sums = collections.Counter()
    for one in found:
        for stacks in one["stacks"].values():
            for stack in stacks:
                sums.update(stack)
    return ["Base", *[name for name, _ in sums.most_common() if name != "Base"][:SHOWN]]


def draw(config, programs, folder, path):
    """A group of bars an instruction, a bar a profiler."""
    found, lines, groups = [measured(config, program, folder) for program in programs], [], []
    names = parts(found)
    for program, one in zip(programs, found):
        for i, instruction in enumerate(one["instructions"]):
            rows = []
            for profiler in PROFILERS:
                stack = one["stacks"][profiler][i]
                rows.append((profiler, *(stack.get(name, 0) for name in names), sum(share for name, share in stack.items() if name not in names)))
                lines += [(program, instruction, profiler, name, share) for name, share in stack.items()]
            groups.append((f"{program.split('.')[0]}: {instruction}", rows))
    numbers(path.with_suffix(".csv"), ("program", "instruction", "profiler", "events", "part of the time"), lines)
    names.append("other events")
    shades = ("#999999", *(COLOURS[i] for i in (0, 4, 2, 3, 5, 1)), "#000000")
    shades = dict(zip(names, (*shades[: len(names) - 1], "#000000")))
    data = "\n".join(
        f"$g{i} << END\n" + "\n".join(" ".join([row[0], *(f"{100 * share:.4f}" for share in row[1:])]) for row in rows) + "\nEND"
        for i, (_, rows) in enumerate(groups)
    )
    drawn = []
    for i, (title, _) in enumerate(groups):
        bars = ", ".join(
            f'$g{i} using {k + 2}{":xtic(1)" if k == 0 else ""} linecolor rgb "{shades[name]}" {f"title {name!r}" if i == 0 else "notitle"}'
            for k, name in enumerate(names)
        )
        drawn.append(f"newhistogram {title!r} font 'sans-serif,10' offset 0,-2.2, {bars}")
    plotted(
        f"""set terminal svg size {max(820, 180 * len(groups) + 180)},460 dynamic noenhanced font "sans-serif,12" background rgb "white"
{data}
set title 'The instructions with most time, and what each profiler says of them: percent of the run'
set style data histograms
set style histogram rowstacked
set style fill solid 0.9 border rgb "white"
set boxwidth 0.8
set yrange [0:]
set bmargin 7
set key outside right top Left reverse invert
set border 3
set tics nomirror
set xtics scale 0 rotate by 50 right font "sans-serif,10"
set grid ytics linecolor rgb "#e4e4e4" linetype 1
plot {", ".join(drawn)}
""",
        path,
        "Cycle stacks of the hottest instructions by profiler: a picture of evaluation.md.",
    )
