/**
 * What `arc cc -c` costs a makefile: `node test/bench/cc/run.mjs [-n ROUNDS] [--resident]`. Each file is compiled by `arc cc` and by
 * `gcc`, both with -fopenmp -O2, in turn, and has another text each time: the store knows the runtime and the compiler,
 * but never the file. A program for OpenCL as well is linked of one such object. Of each, medians of the time that passes
 * and of the time of all processors (user and system, children included), in ms, and the median of the pairs' ratios.
 * With --resident a resident compiler runs the calls, once it is warm; its time counts, in steps of 10 ms.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const root = path.resolve(import.meta.dirname, "../../..");
const { values } = parseArgs({
  options: {
    rounds: { type: "string", short: "n", default: "11" },
    resident: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const folder = mkdtempSync(path.join(tmpdir(), "arc-bench-cc-"));
const store = path.join(folder, "store");
const runtime = path.join(folder, "run");
mkdirSync(runtime, { mode: 0o700 });
/** A resident compiler is started by the first call, and V8 optimises its code in these. */
const warmUp = values.resident ? 40 : 1;

/** 140 lines with three regions; joined, because a directive that goes on leaves with its last line. */
const regions = readFileSync(path.join(root, "examples/srad/src/srad.c"), "utf8");
/** The same regions as OpenMP's: what gcc compiles for the host as well, where it passes over OpenACC's. */
const openmp = spawnSync(
  path.join(root, "bin/arc"),
  ["translate", path.join(root, "examples/srad/src/srad.c"), "--to", "openmp"],
  { encoding: "utf8" },
).stdout;
const plain = regions.replaceAll("\\\n", " ").replace(/^ *#pragma.*\n/gm, "");

const arc = (...args) => [path.join(root, "bin/arc"), "cc", "-acc", "-fopenmp", "-O2", ...args];
const arcOpenMp = (...args) => [path.join(root, "bin/arc"), "cc", "-omp", "-fopenmp", "-O2", ...args];
const gcc = (...args) => ["gcc", "-fopenmp", "-O2", ...args];
const cases = [
  { name: "without directives", text: plain, of: (cc) => [cc("-c", "file.c", "-o", "file.o")] },
  { name: "3 regions", text: regions, of: (cc) => [cc("-c", "file.c", "-o", "file.o")] },
  {
    name: "3 regions of OpenMP",
    text: openmp,
    of: (cc) => [(cc === arc ? arcOpenMp : cc)("-c", "file.c", "-o", "file.o")],
  },
  {
    name: "3 regions, a program for host and opencl",
    text: regions,
    of: (cc) => [
      cc("-c", "file.c", "-o", "file.o"),
      cc(...(cc === arc ? ["-target", "host,opencl"] : []), "file.o", "-lm", "-o", "program"),
    ],
  },
];

/** The resident compilers that calls of this bench started. */
function residents() {
  return readdirSync("/proc").filter((name) => {
    try {
      return readFileSync(`/proc/${name}/environ`, "latin1").includes(`ARC_RESIDENT_SOCKET=${runtime}`);
    } catch {
      return false;
    }
  });
}

/** Time of the processors for the resident compilers and their ended children, in ms. */
function residentTime() {
  const all = resident.map((id) => readFileSync(`/proc/${id}/stat`, "latin1").split(") ").at(-1).split(" "));
  return all.reduce((sum, fields) => sum + 10 * fields.slice(11, 15).reduce((a, b) => a + Number(b), 0), 0);
}

let resident = [];

/** bash tells the time of a command and of its children. */
function time(command) {
  const quoted = command.map((word) => `'${word}'`).join(" ");
  const before = residentTime();
  const { status, stderr } = spawnSync("bash", ["-c", `TIMEFORMAT='%R %U %S'; time ${quoted}`], {
    cwd: folder,
    env: {
      ...process.env,
      ARC_STORE: store,
      XDG_RUNTIME_DIR: runtime,
      ARC_RESIDENT: values.resident ? "1" : "0",
    },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
  const [wall, user, system] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return { wall: wall * 1000, cpu: (user + system) * 1000 + residentTime() - before };
}

function timeAll(commands) {
  const all = commands.map(time);
  const sum = (what) => all.reduce((total, one) => total + one[what], 0);
  return { wall: sum("wall"), cpu: sum("cpu") };
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

try {
  let edits = 0;
  console.log("case: arc wall, CPU; gcc wall, CPU; ratios of wall, CPU");
  for (const { name, text, of } of cases) {
    const pairs = [];
    // The first fills the store.
    for (let round = 1 - warmUp; round <= rounds; round++) {
      if (values.resident && round === 1) resident = residents();
      writeFileSync(path.join(folder, "file.c"), `int edit_${++edits};\n${text}`);
      const pair = { arc: timeAll(of(arc)), gcc: timeAll(of(gcc)) };
      if (round > 0) pairs.push(pair);
    }
    const own = (tool) =>
      ["wall", "cpu"].map((what) => median(pairs.map((pair) => pair[tool][what])).toFixed(0)).join(", ");
    const ratios = ["wall", "cpu"].map((what) =>
      median(pairs.map((pair) => pair.arc[what] / pair.gcc[what])).toFixed(2),
    );
    console.log(`${name}: ${own("arc")}; ${own("gcc")}; ${ratios.join(", ")}`);
  }
} finally {
  for (const id of residents()) process.kill(Number(id));
  rmSync(folder, { recursive: true, force: true });
}
