#!/usr/bin/env python3
"""`tipoff sweep --slurm`: a real Slurm of one node runs the array; its table is the local one's, byte for byte.

    tests/slurm/test_slurm.py

Needs Debian's slurmctld, slurmd, slurm-client and munge, which run in a temporary folder (cluster.py); and build/bin/tipoff, the small workloads, the model of small2.
"""
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from cluster import cluster

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = ROOT / "build/bin/tipoff"
SWEEP = """program = ["interp.small", "queens.small"]
config = "small2"
period = [97, 397]
warmup = [0, {warmup}]
max_cycles = 20000
"""


def sweep(path, output, environment, *options):
    done = subprocess.run(
        [TIPOFF, "sweep", path, "--output", output, *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment,
        timeout=200,
        check=False,
    )
    print(done.stderr, end="", flush=True)
    return done


def squeue(environment, job):
    return subprocess.run(["squeue", "--noheader", f"--job={job}", "--format=%T"], capture_output=True, text=True, env=environment, check=False).stdout


def main():
    with tempfile.TemporaryDirectory(dir="/tmp") as name, cluster(name) as environment:
        folder = pathlib.Path(name)
        path = folder / "sweep.toml"
        path.write_text(SWEEP.format(warmup=100))
        here, there = folder / "here", folder / "there"
        assert sweep(path, here, environment).returncode == 0
        done = sweep(path, there, environment, "--slurm=--time=5 --comment='two words'")
        assert done.returncode == 0, done.stderr
        job = re.search(r"Slurm job (\d+): 8 tasks for 8 points", done.stderr)
        assert job, done.stderr
        shown = subprocess.run(["scontrol", "show", "job", job[1]], capture_output=True, text=True, env=environment, check=True).stdout
        assert shown.count("JobState=COMPLETED") == 8 and shown.count("Comment=two words") == 8 and shown.count("JobName=tipoff-sweep") == 8, shown
        tables = [(output / "table.csv").read_bytes() for output in (here, there)]
        assert tables[0] == tables[1] and tables[0].count(b"\n") == 9, "another table by Slurm"

        # What one has finished the other need not run; at most that many tasks at once; a point that fails is a row here, too.
        again = sweep(path, there, environment)
        assert "8 finished before, 0 run now" in again.stderr, again.stderr
        path.write_text(SWEEP.format(warmup=100000000))
        rows = []
        for output, options in (here, []), (there, ["--slurm", "--jobs", "1"]):
            done = sweep(path, output, environment, *options)
            assert done.returncode == 1 and "4 finished before, 0 run now, 4 not finished" in done.stderr, done.stderr
            assert done.stderr.count("nothing was measured") == 4, done.stderr
            rows.append((output / "table.csv").read_bytes())
        assert rows[0] == rows[1] and rows[0] != tables[0], "another table by Slurm where points fail"

        # What sbatch refuses is reported.
        path.write_text(SWEEP.format(warmup=200))
        done = sweep(path, there, environment, "--slurm=--partition=nosuch")
        assert (
            done.returncode == 2 and "Invalid partition" in done.stderr and "nothing was submitted" in done.stderr and done.stderr.count("\n") == 1
        ), done.stderr

        # Ctrl-C: the command ends, the job goes on until somebody cancels it.
        path.write_text('program = "interp.large"\nconfig = "small2"\nmax_cycles = [1000, 400000000]\n')
        with subprocess.Popen(
            [TIPOFF, "sweep", path, "--output", there, "--slurm"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        ) as child:
            job = re.search(r"Slurm job (\d+)", child.stderr.readline())
            assert job
            child.send_signal(signal.SIGINT)
            err = child.communicate(timeout=100)[1]
        assert child.returncode == 130 and f"scancel {job[1]} ends it" in err, err
        while "RUNNING" not in (shown := squeue(environment, job[1])):
            assert shown, "the job has gone"
            time.sleep(0.2)
        subprocess.run(["scancel", job[1]], env=environment, check=True)
        while squeue(environment, job[1]):
            time.sleep(0.2)
    print("the same tables by Slurm")
    return 0


if __name__ == "__main__":
    sys.exit(main())
