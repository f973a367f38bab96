/**
 * What the passes do to hardware: programs in variants, through the real build. Each design is simulated, compared
 * with the serial program, and placed and routed on an iCE40 HX8K; what is refused or does not fit is named with the
 * reason. Prints the table of docs/rtl-measured.md; with --write its rows take the places of those of the same designs there.
 * Needs Verilator, g++, Yosys and nextpnr-ice40; about half a minute of processor time per design.
 *
 *   node test/bench/rtl/passes.mjs [--only "PART OF PROGRAM: DESIGN"]... [--clock 50] [--write]
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { programs } from "./designs.mjs";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [""] },
    clock: { type: "string", default: "50" },
    write: { type: "boolean", default: false },
  },
});
const root = path.resolve(import.meta.dirname, "../../..");
const docs = path.join(root, "docs/rtl-measured.md");
const scratch = mkdtempSync(path.join(tmpdir(), "arc-passes-"));

/** Output and status, whatever that is. */
const arc = (cwd, ...args) =>
  new Promise((resolve) => {
    const options = { cwd, maxBuffer: 1e9, env: { ...process.env, ARC_STORE: path.join(scratch, "store") } };
    execFile("sh", [path.join(root, "bin/arc"), ...args], options, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, out: stdout, err: stderr }),
    );
  });

const list = (object) => Object.entries(object).map(([key, value]) => `${key}: ${value}`);

async function measured(program, design, index) {
  const folder = path.join(scratch, String(index));
  mkdirSync(folder);
  let text = readFileSync(path.join(root, program.file), "utf8");
  for (const [from, to] of [...(program.edits ?? []), ...(design.edits ?? [])]) {
    if (!text.includes(from)) throw new Error(`${program.file} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  writeFileSync(path.join(folder, "main.c"), text);
  const defines = list({ ...program.defines, ...design.defines });
  const choose = list({ ...design.choose }).map((axis) => axis.replace(/: (.*)/, ": [$1]"));
  writeFileSync(
    path.join(folder, "arc.yaml"),
    `arc: 1
project: bench
sources: [main.c]
cflags: [-O2]
defines: { ${defines.join(", ")} }
targets:
  fpga: { kind: rtl, part: ice40-hx8k, clock: ${values.clock}${choose.length ? `, variants: { ${choose.join(", ")} }` : ""} }
runs:
  run: { args: ${JSON.stringify(program.args ?? [])} }
verify: { run: run, tolerance: { rel: ${program.tolerance ?? 1e-5} }, ignore: ${JSON.stringify(program.ignore ?? [])} }
`,
  );
  const verified = await arc(folder, "verify", "fpga");
  if (verified.status !== 0) return { failure: reasonOf(verified.err + verified.out) };
  const built = await arc(folder, "build", "fpga", "--keep-going", "--json");
  const report = await arc(folder, "report", "fpga", "--json");
  const [{ hardware = [], comparisons }] = JSON.parse(report.out).variants;
  if (comparisons[0]?.result !== "same") return { failure: "the comparison did not run" };
  return { kernels: hardware, ...(built.status === 0 ? {} : { failure: failedIn(built.out) }) };
}

/** Why an action of a build failed, from its events. */
const failedIn = (out) =>
  out
    .split("\n")
    .filter((line) => line.startsWith('{"type":"failed"'))
    .map((line) => JSON.parse(line).message)
    .join("; ");

/** The first error of a log. */
const reasonOf = (log) =>
  /(?:error(?:\[[\w-]+\])?|failed[^:]*|arc): (.*)/.exec(log)?.[1] ?? log.slice(0, 200);

const rows = [];
const header = ["program", "what", "II", "limited by", "cycles", "MHz", "LC", "FF", "RAM", "time"];

function rowsOf(program, what, { kernels = [], failure }) {
  const cells = kernels.filter((k) => k.cycles !== undefined);
  if (cells.length === 0) return [[program, what, "", failure ?? "nothing ran", "", "", "", "", "", ""]];
  return cells.map((k) => {
    const loops = k.loops.filter((l) => l.ii !== undefined);
    const slow = loops.filter((l) => l.ii !== 1).map((l) => l.limit);
    const launches = (k.cycles.launches ?? 1) > 1 ? ` x ${k.cycles.launches}` : "";
    const name = cells.length > 1 ? `${what}: ${k.kernel.replace(/ \(.*/, "")}` : what;
    return [
      program,
      name,
      loops.map((l) => Math.round(10 * l.ii) / 10).join(", "),
      k.failure ?? (loops.length === 0 ? "no loop is a pipeline" : slow.join("; ").replaceAll("|", "\\|")),
      `${Math.round(k.cycles.value)}${launches}`,
      clockOf(k),
      k.resources.lcs ?? "",
      k.resources.lcs === undefined ? "" : (k.resources.ffs ?? ""),
      k.resources.lcs === undefined ? "" : (k.resources.rams ?? 0),
      k.seconds === undefined ? "" : `${(1000 * k.seconds).toPrecision(3)} ms${launches}`,
    ];
  });
}

/** With what the first schedule reached, where it missed the clock. */
const clockOf = ({ clock, rescheduled }) =>
  clock === undefined
    ? ""
    : `${clock.toFixed(1)}${rescheduled ? ` (${rescheduled.reached.toFixed(1)})` : ""}`;

const line = (cells) => `| ${cells.join(" | ")} |\n`;
process.stdout.write(line(header) + line(header.map(() => "---")));
let index = 0;
for (const program of programs) {
  for (const design of program.designs) {
    const name = `${program.name}: ${design.what}`;
    if (!values.only.some((word) => name.includes(word))) continue;
    const result = await measured(program, design, index++);
    for (const row of rowsOf(program.name, design.what, result)) {
      rows.push(row);
      process.stdout.write(line(row));
    }
  }
}
rmSync(scratch, { recursive: true, force: true });

if (values.write) {
  const marked = /(<!-- passes.mjs -->\n)([\s\S]*?)(<!-- end -->)/;
  const text = readFileSync(docs, "utf8");
  const before = (marked.exec(text)?.[2] ?? "").split("\n").filter((row) => row.startsWith("| "));
  const cellsOf = (row) => row.slice(2, -2).split(" | ");
  const rowsOfDesign = ({ name }, { what }) => {
    const isOf = ([program, made]) =>
      // A star says that a row is older.
      [name, `${name} (*)`].includes(program) && (made === what || made.startsWith(`${what}: `));
    const now = rows.filter(isOf);
    return (now.length > 0 ? now : before.map(cellsOf).filter(isOf)).map(line);
  };
  const all = programs.flatMap((program) =>
    program.designs.flatMap((design) => rowsOfDesign(program, design)),
  );
  const table = [...[header, header.map(() => "---")].map(line), ...all].join("");
  writeFileSync(
    docs,
    text.replace(marked, (_, begin, __, end) => `${begin}\n${table}\n${end}`),
  );
}
