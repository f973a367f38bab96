/**
 * The examples on the host's cores, side by side: serial by `gcc -O3`, by hand with OpenMP, by arc's target of kind
 * `host`. `node test/bench/host/run.mjs [-n ROUNDS] [-b FOLDER] [EXAMPLE…]`; rounds take turns and the least time of
 * each counts, as each program tells it: the time that passes, and that of all processors. -b builds into a folder and
 * leaves the programs there, for a machine without Node's tools: `sh FOLDER/run.sh`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { byHand } from "./by-hand.mjs";
import { oneRegion } from "./one-region.mjs";

const root = path.resolve(import.meta.dirname, "../../..");

/** Long enough to measure, short enough for two cores. */
const sizes = {
  axpy: ["50000000", "10"],
  diffusion: ["500"],
  dot: ["50000000"],
  histogram: ["100000000"],
  hotspot: ["2048", "2048", "40"],
  jacobi: ["4096", "4096", "20"],
  matmul: ["768"],
  nw: ["4000"],
  "nw-one-region": ["4000"],
  sobel: ["8640", "7680"],
  spmv: ["1000000", "64", "10"],
  srad: ["2048", "2048", "10"],
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", short: "n", default: "5" },
    build: { type: "string", short: "b" },
  },
});
const examples = positionals.length > 0 ? positionals : Object.keys(sizes);
const folder = values.build ?? mkdtempSync(path.join(tmpdir(), "arc-bench-host-"));
mkdirSync(folder, { recursive: true });

const builds = {
  serial: (source, program) => gcc("-O3", "-w", source, "-o", program, "-lm"),
  hand: (source, program) => {
    const peer = `${program}.c`;
    writeFileSync(peer, byHand(readFileSync(source, "utf8")));
    gcc("-O3", `-march=${process.env.BENCH_MARCH ?? "native"}`, "-fopenmp", "-w", peer, "-o", program, "-lm");
  },
  arc: (source, program) =>
    execFileSync(path.join(root, "bin/arc"), ["cc", "-acc", "-O3", "-w", source, "-o", program], {
      stdio: "inherit",
    }),
};

/** An example's source; `NAME-one-region` has a loop of the program inside of the region, which by hand stays outside. */
function sourceOf(example, kind) {
  const name = example.replace("-one-region", "");
  const source = path.join(root, "examples", name, "src", `${name}.c`);
  if (!(example in sizes) || !existsSync(source)) throw new Error(`there is no example ${example}`);
  if (name === example || kind !== "arc") return source;
  const changed = path.join(folder, `${example}.c`);
  writeFileSync(changed, oneRegion(readFileSync(source, "utf8")));
  return changed;
}

function gcc(...args) {
  execFileSync("gcc", args, { stdio: "inherit" });
}

const programOf = (example, kind) => path.join(folder, `${example}.${kind}`);

const clock = path.join(folder, "clock.so");

/** Of one run: the time that passed, and that of all processors. Threads that wait are not to use them. */
function milliseconds(example, kind) {
  const { stdout, stderr, status } = spawnSync(programOf(example, kind), sizes[example], {
    encoding: "utf8",
    env: { ...process.env, LD_PRELOAD: clock, OMP_WAIT_POLICY: "passive" },
  });
  const [, time, unit] = /^time: ([\d.]+) (m?s)$/m.exec(stdout) ?? [];
  const [, cpu] = /^cpu: ([\d.]+) ms$/m.exec(stderr) ?? [];
  if (status !== 0 || time === undefined || cpu === undefined)
    throw new Error(`${example} (${kind}) failed: ${stdout}${stderr}`);
  return { wall: Number(time) * (unit === "s" ? 1000 : 1), cpu: Number(cpu) };
}

gcc("-O2", "-shared", "-fPIC", path.join(import.meta.dirname, "clock.c"), "-o", clock);
for (const example of examples) {
  for (const [kind, build] of Object.entries(builds))
    build(sourceOf(example, kind), programOf(example, kind));
}

/** The same rounds in a shell. */
const script = `#!/bin/sh
cd "$(dirname "$0")" || exit 2
run() {
  least=
  for round in $(seq ${values.rounds}); do
    t=$("./$1" $2 | sed -n -e 's/^time: \\([0-9.]*\\) ms$/\\1/p' -e 's/^time: \\([0-9.]*\\) s$/\\1e3/p')
    least=$(printf '%s\\n%s\\n' "$least" "$t" | sed '/^$/d' | sort -n | head -n 1)
  done
  printf '%14s' "$least"
}
${examples
  .map((example) =>
    [
      `printf '%-12s' ${example}`,
      ...Object.keys(builds).map((kind) => `run ${example}.${kind} '${sizes[example].join(" ")}'`),
      "echo",
    ].join("; "),
  )
  .join("\n")}
`;

if (values.build !== undefined) {
  const file = path.join(folder, "run.sh");
  writeFileSync(file, script);
  chmodSync(file, 0o755);
} else {
  const row = (name, ...cells) => console.log(name.padEnd(10) + cells.map((c) => c.padStart(12)).join(""));
  const heads = [...Object.keys(builds), "arc/serial", "arc/hand"];
  row("ms", ...heads, ...heads.map((head) => `cpu ${head}`));
  for (const example of examples) {
    const least = (clock) => Object.fromEntries(Object.keys(builds).map((kind) => [kind, clock]));
    const [wall, cpu] = [least(Infinity), least(Infinity)];
    for (let round = 0; round < Number(values.rounds); round++)
      for (const kind of Object.keys(builds)) {
        const time = milliseconds(example, kind);
        wall[kind] = Math.min(wall[kind], time.wall);
        cpu[kind] = Math.min(cpu[kind], time.cpu);
      }
    const cells = ({ serial, hand, arc }) =>
      [serial, hand, arc, arc / serial, arc / hand].map((t) => t.toFixed(2));
    row(example, ...cells(wall), ...cells(cpu));
  }
  rmSync(folder, { recursive: true });
}
