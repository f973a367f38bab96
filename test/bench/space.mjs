/**
 * What a large space costs arc itself, in processor time and memory, which a busy machine changes least: to plan variants of
 * 163 840 combinations, and to search a space of hardware (the tutorial's, twelve variants), beside what the tools of that
 * search take. Run: node test/bench/space.mjs [BUILDS]: 4 unless told, 0 leaves the search out; ARC names another program
 * than bin/arc. The search needs Yosys, nextpnr and Verilator.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const arc = process.env.ARC ?? path.join(root, "bin/arc");
const builds = process.argv[2] ?? "4";
const scratch = mkdtempSync(path.join(tmpdir(), "arc-bench-space-"));
/** Linux counts processor time in these. */
const TICKS = 100;

const loop = `int main(void) {
  static int x[4096], y[4096];
#pragma acc parallel loop copyin(x) copyout(y)
  for (int i = 0; i < 4096; i++) y[i] = 2 * x[i];
  return y[7];
}
`;
const large = `arc: 1
project: large
sources: [loop.c]
targets:
  fpga:
    kind: rtl
    part: ice40-hx8k
    clock: 50
    variants:
      window: [auto, 0, 2, 4, 8, 16, 32, 64]
      unroll: [auto, 1, 2, 4, 8, 16, 32, 64]
      share-mul: [0, 1, 2, 4, 8]
      share-div: [0, 1, 2, 4]
      reduction: [auto, 0, 1, 2, 4, 8, 16, 32]
      hoist: [false, true]
      collapse: [false, true]
      clock: [0, 60, 70, 80]
`;

/** The texts of the tutorial's blocks of this name: the last one counts. */
const tutorial = (name) =>
  [...readFileSync(path.join(root, "docs/tutorial.md"), "utf8").matchAll(/^```\w+ (\S+)\n(.*?)^```/gms)]
    .filter(([, file]) => file === name)
    .at(-1)[2];

/** Seconds of arc's own process and of all that it waited for, and its memory, as they were when it was last seen. */
function measured(folder, args) {
  return new Promise((resolve) => {
    const child = spawn(arc, [...args, "--store", path.join(scratch, "store")], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let err = "";
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    let seen = { own: 0, tools: 0, megabytes: 0 };
    const look = () => {
      try {
        const stat = readFileSync(`/proc/${child.pid}/stat`, "latin1")
          .split(") ")
          .at(-1)
          .split(" ")
          .map(Number);
        const most = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "latin1"));
        const [user, system, theirs, theirSystem] = stat.slice(11, 15);
        // A process that has ended has no memory any more.
        if (most !== null)
          seen = {
            own: (user + system) / TICKS,
            tools: (theirs + theirSystem) / TICKS,
            megabytes: Number(most[1]) / 1024,
          };
      } catch {}
    };
    const timer = setInterval(look, 5);
    child.on("close", (status) => {
      clearInterval(timer);
      resolve({ ...seen, status, err });
    });
  });
}

try {
  writeFileSync(path.join(scratch, "loop.c"), loop);
  writeFileSync(path.join(scratch, "arc.yaml"), large);
  for (const [title, args] of [
    ["the first of 163 840", ["build", "--dry-run", "fpga"]],
    ["one by its name", ["build", "--dry-run", "fpga:sw64_u64"]],
    ["640 by a pattern", ["build", "--dry-run", "fpga:sw64_*"]],
    ["`arc explore`, until it would build", ["explore", "fpga", "--budget", "0"]],
  ]) {
    const { own, tools, megabytes } = await measured(scratch, args);
    console.log(
      `${title}: ${own.toFixed(2)} s, ${megabytes.toFixed(0)} MB; what it started ${tools.toFixed(2)} s`,
    );
  }
  if (builds !== "0") {
    const folder = mkdtempSync(path.join(scratch, "search-"));
    writeFileSync(path.join(folder, "slopes.c"), tutorial("slopes.c").replace("create(out", "copyout(out"));
    writeFileSync(path.join(folder, "arc.yaml"), tutorial("arc.yaml"));
    const { own, tools, status, err } = await measured(folder, ["explore", "fpga", "--budget", builds]);
    if (status !== 0) throw new Error(err);
    console.log(
      `arc explore with ${builds} builds: ${own.toFixed(2)} s of arc, ${tools.toFixed(1)} s of what it started: ${((100 * own) / tools).toFixed(1)} %`,
    );
  }
} finally {
  rmSync(scratch, { recursive: true });
}
