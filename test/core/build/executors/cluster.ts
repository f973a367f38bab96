/** A real Slurm on loopback, with three virtual nodes, a licence and a device; for tests. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";

const home = mkdtempSync(join(tmpdir(), "arc-slurm-"));
/** What Slurm's programs need to find it. */
export const environment = { ...process.env, SLURM_CONF: join(home, "slurm.conf") };
const nodes = ["n1", "n2", "n3"];

/** Why not, if it cannot be done. */
export function startSlurm(): string | undefined {
  for (const program of ["slurmctld", "slurmd", "munged", "sbatch", "srun", "salloc", "squeue", "scancel"]) {
    if (spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0) return `${program} is not installed`;
  }
  for (const folder of ["munge", "state", "log"]) mkdirSync(join(home, folder));
  for (const node of nodes) mkdirSync(join(home, "spool", node), { recursive: true });
  chmodSync(home, 0o700);
  chmodSync(join(home, "munge"), 0o700);
  writeFileSync(join(home, "munge/key"), randomBytes(128), { mode: 0o400 });
  const host = hostname().split(".")[0];
  const port = 20_000 + ((process.pid * 8) % 20_000);
  writeFileSync(
    join(home, "slurm.conf"),
    `ClusterName=arc
SlurmctldHost=${host}(127.0.0.1)
SlurmUser=${userInfo().username}
SlurmdUser=${userInfo().username}
AuthType=auth/munge
AuthInfo=socket=${home}/munge/socket
CredType=cred/munge
SlurmctldPort=${port}
StateSaveLocation=${home}/state
SlurmdSpoolDir=${home}/spool/%n
SlurmctldPidFile=${home}/slurmctld.pid
SlurmdPidFile=${home}/slurmd-%n.pid
SlurmctldLogFile=${home}/log/slurmctld
SlurmdLogFile=${home}/log/slurmd-%n
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
JobCompType=jobcomp/none
MpiDefault=none
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=30
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
MinJobAge=300
SwitchType=switch/none
KillWait=2
GresTypes=fpga
Licenses=vivado:1
${nodes.map((node, at) => `NodeName=${node} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${port + 1 + at} CPUs=2 RealMemory=4000${at === 0 ? " Gres=fpga:1" : ""} State=UNKNOWN`).join("\n")}
PartitionName=build Nodes=ALL Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=100
`,
  );
  writeFileSync(join(home, "gres.conf"), "NodeName=n1 Name=fpga Count=1\n");
  const run = (program: string, ...args: string[]): string | undefined => {
    const { status, stderr } = spawnSync(program, args, { env: environment, encoding: "utf8" });
    return status === 0 ? undefined : `${program} does not start: ${stderr.trim()}`;
  };
  const munge = ["socket", "key-file", "pid-file", "log-file", "seed-file"].map((option) => {
    const name = {
      socket: "socket",
      "key-file": "key",
      "pid-file": "pid",
      "log-file": "log",
      "seed-file": "seed",
    }[option];
    return `--${option}=${home}/munge/${name}`;
  });
  return (
    run("munged", "--force", ...munge, "--num-threads=2") ??
    run("slurmctld", "-f", environment.SLURM_CONF, "-c") ??
    nodes
      .map((node) => run("slurmd", "-f", environment.SLURM_CONF, "-N", node))
      .find((why) => why !== undefined) ??
    run("srun", "--immediate=20", `-N${nodes.length}`, "true")
  );
}

function killByPidFile(file: string, signal: NodeJS.Signals = "SIGTERM"): void {
  if (existsSync(file)) spawnSync("kill", [`-${signal.slice(3)}`, readFileSync(file, "utf8").trim()]);
}

export function stopSlurm(): void {
  spawnSync("scancel", ["--user", userInfo().username], { env: environment });
  for (const name of [...nodes.map((node) => `slurmd-${node}`), "slurmctld"])
    killByPidFile(join(home, `${name}.pid`));
  killByPidFile(join(home, "munge/pid"));
  // They remove the files that name them when they are done.
  const left = (): boolean => readdirSync(home).some((name) => name.endsWith(".pid"));
  for (const start = Date.now(); left() && Date.now() - start < 20_000; ) spawnSync("sleep", ["0.05"]);
  rmSync(home, { recursive: true, force: true });
}
