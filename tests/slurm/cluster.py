"""A Slurm of one node, this machine, in a folder: munge, controller and node as processes of this user, with ports of their own."""
import contextlib
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import time

CONF = """\
ClusterName=tipoff
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def wait_for(what, processes, ready, logs):
    for _ in range(600):
        if ready():
            return
        for process in processes:
            if process.poll() is not None:
                break
        else:
            time.sleep(0.1)
            continue
        break
    said = "\n".join(path.read_text(errors="replace")[-2000:] for path in sorted(logs.glob("*.log")))
    raise RuntimeError(f"{what} does not come up:\n{said}")


@contextlib.contextmanager
def cluster(folder):
    """Runs it; yields the variables for its commands. The folder must be on a local disk, and its path short: it holds a socket."""
    folder = pathlib.Path(folder)
    os.chmod(folder, 0o755)  # munge's socket is refused below a folder of others
    for name in "state", "spool":
        (folder / name).mkdir()
    key = folder / "key"
    key.write_bytes(os.urandom(64))
    key.chmod(0o400)
    host = socket.gethostname().split(".")[0]
    conf = folder / "slurm.conf"
    conf.write_text(CONF.format(folder=folder, host=host, user=pwd.getpwuid(os.getuid()).pw_name, ports=free_ports(2), cpus=os.cpu_count()))
    environment = {**os.environ, "PATH": os.environ["PATH"] + ":" + PATH, "SLURM_CONF": str(conf)}
    processes = []

    def start(name, *options):
        log = (folder / f"{name}.out.log").open("w")
        processes.append(subprocess.Popen([shutil.which(name, path=PATH), *options], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment))
        log.close()

    try:
        start(
            "munged",
            "--foreground",
            "--force",
            f"--socket={folder}/munge.sock",
            f"--key-file={key}",
            f"--pid-file={folder}/munged.pid",
            f"--log-file={folder}/munged.log",
            f"--seed-file={folder}/munge.seed",
        )
        wait_for("munged", processes, (folder / "munge.sock").exists, folder)
        start("slurmctld", "-D", "-f", str(conf))
        start("slurmd", "-D", "-f", str(conf))
        wait_for(
            "Slurm",
            processes,
            lambda: "idle" in subprocess.run(["sinfo", "--noheader", "--format=%T"], capture_output=True, text=True, env=environment, check=False).stdout,
            folder,
        )
        yield environment
    finally:
        for process in reversed(processes):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
