/**
 * The examples on the host's cores, side by side: serial by `gcc -O3`, by hand with OpenMP, by arc's target of kind
 * `host`. `node test/bench/host/run.mjs [-n ROUNDS] [-b FOLDER] [EXAMPLE…]`; rounds take turns and the least time of
 * each counts, as each program tells it. -b builds into a folder and runs what is there, so that a machine without
 * Node's tools can be given the programs: `sh FOLDER/run.sh` there.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { byHand } from "./by-hand.mjs";

const root = path.resolve(import.meta.dirname, "../../..");

/** Long enough to measure, short enough for two cores. */
const sizes = {
  axpy: ["50000000", "10"],
  histogram: ["100000000"],
  hotspot: ["2048", "2048", "40"],
  jacobi: ["4096", "4096", "20"],
  matmul: ["768"],
  nw: ["4000"],
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

function gcc(...args) {
  execFileSync("gcc", args, { stdio: "inherit" });
}

const programOf = (example, kind) => path.join(folder, `${example}.${kind}`);

function milliseconds(example, kind) {
  const { stdout, stderr, status } = spawnSync(programOf(example, kind), sizes[example], {
    encoding: "utf8",
  });
  const [, time] = /^time: ([\d.]+) ms$/m.exec(stdout) ?? [];
  if (status !== 0 || time === undefined) throw new Error(`${example} (${kind}) failed: ${stdout}${stderr}`);
  return Number(time);
}

for (const example of examples) {
  const source = path.join(root, "examples", example, "src", `${example}.c`);
  if (!(example in sizes) || !existsSync(source)) throw new Error(`there is no example ${example}`);
  for (const [kind, build] of Object.entries(builds)) build(source, programOf(example, kind));
}

/** The same rounds in a shell. */
const script = `#!/bin/sh
cd "$(dirname "$0")" || exit 2
run() {
  least=
  for round in $(seq ${values.rounds}); do
    t=$("./$1" $2 | sed -n 's/^time: \\([0-9.]*\\) ms$/\\1/p')
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
  const row = (name, ...cells) => console.log(name.padEnd(12) + cells.map((c) => c.padStart(14)).join(""));
  row("ms", ...Object.keys(builds), "arc / serial", "arc / hand");
  for (const example of examples) {
    const least = Object.fromEntries(Object.keys(builds).map((kind) => [kind, Infinity]));
    for (let round = 0; round < Number(values.rounds); round++)
      for (const kind of Object.keys(builds))
        least[kind] = Math.min(least[kind], milliseconds(example, kind));
    const { serial, hand, arc } = least;
    row(
      example,
      ...[serial, hand, arc].map((t) => t.toFixed(2)),
      ...[arc / serial, arc / hand].map((r) => r.toFixed(2)),
    );
  }
  rmSync(folder, { recursive: true });
}
