/**
 * examples/sobel-rtl against the same function by hand (sobel.v): cells, block RAM and clock of both on an iCE40
 * HX8K, medians over seeds, and their ratios. Both stand in a frame of shift registers that fits the pins; its
 * flip-flops, one per signal, are subtracted. Needs Yosys, nextpnr-ice40 and iverilog; run it in a built checkout:
 *
 *   node test/bench/rtl/run.mjs [--seeds 5] [--clock 80] [--keep FOLDER]
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { build } from "esbuild";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "5" },
    clock: { type: "string", default: "80" },
    keep: { type: "string" },
  },
});
const here = import.meta.dirname;
const root = path.resolve(here, "../../..");
const folder = values.keep ?? mkdtempSync(path.join(tmpdir(), "arc-sobel-"));
mkdirSync(folder, { recursive: true });
const run = promisify(execFile);

/** The ports of a module, as its text declares them. */
function portsOf(text, module) {
  const header = new RegExp(`module ${module} \\(([^;]*)\\);`).exec(text)[1];
  const ports = header.matchAll(/(input|output) (?:wire|reg) (?:\[(\d+):0\] )?(\w+)/g);
  return [...ports].map(([, direction, high, name]) => ({ direction, bits: Number(high ?? 0) + 1, name }));
}

/** arc's own, which is TypeScript. */
async function load(file) {
  const options = { entryPoints: [path.join(root, file)], bundle: true, write: false, format: "esm" };
  const { outputFiles } = await build(options);
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

const { frameBoard } = await load("targets/rtl/verilog/board/frame.ts");
const { boardName } = await load("targets/rtl/verilog/board/wrapper.ts");

/** arc's own board has the kernel with its address generators, which what is made by hand has not. */
const withoutBoard = (text) =>
  text.replace(new RegExp(`^module ${boardName} \\([^]*?^endmodule\\n`, "m"), "");

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

async function measured(name, text, module) {
  const ports = portsOf(text, module);
  // Its flip-flops: one of each signal but the clock.
  const frame = ports.reduce((sum, { name, bits }) => sum + (name === "clk" ? 0 : bits), 0);
  const at = (file) => path.join(folder, `${name}.${file}`);
  writeFileSync(at("v"), withoutBoard(text) + frameBoard({ name: module, ports }, "kernel"));
  await run("yosys", [
    "-q",
    "-p",
    `read_verilog ${at("v")}; synth_ice40 -top ${boardName} -json ${at("json")}`,
  ]);
  const runs = [];
  for (let seed = 1; seed <= Number(values.seeds); seed++) {
    const options = ["--hx8k", "--package", "ct256", "--freq", values.clock, "--timing-allow-fail"];
    const files = ["--json", at("json"), "--report", at("report"), "--asc", at("asc")];
    await run("nextpnr-ice40", ["-q", ...options, ...files, "--seed", String(seed)]);
    const { fmax, utilization } = JSON.parse(readFileSync(at("report"), "utf8"));
    runs.push({
      cells: utilization.ICESTORM_LC.used - frame,
      rams: utilization.ICESTORM_RAM.used,
      clock: Math.min(...Object.values(fmax).map((c) => c.achieved)),
    });
  }
  const of = (what) => median(runs.map((r) => r[what]));
  return { name, cells: of("cells"), rams: of("rams"), clock: of("clock") };
}

const simulation = path.join(folder, "check.vvp");
execFileSync("iverilog", [
  "-g2005",
  "-o",
  simulation,
  path.join(here, "sobel.v"),
  path.join(here, "sobel_check.v"),
]);
const checked = execFileSync("vvp", ["-n", simulation], { encoding: "utf8" }).trim();
if (checked !== "307200 words, 0 of them wrong") throw new Error(`sobel.v: ${checked}`);

const source = path.join(root, "examples/sobel-rtl/src/edges.c");
const design = execFileSync("sh", [path.join(root, "bin/arc"), "translate", source, "--to", "rtl"], {
  encoding: "utf8",
});
const kernel = /module (find_edges_\w+?) \(/.exec(design)[1];
const [arc, hand] = await Promise.all([
  measured("arc", design, kernel),
  measured("hand", readFileSync(path.join(here, "sobel.v"), "utf8"), "sobel"),
]);
for (const { name, cells, rams, clock } of [arc, hand])
  console.log(`${name.padEnd(5)} ${cells} LC  ${rams} EBR  ${clock.toFixed(1)} MHz`);
console.log(
  `ratio ${(arc.cells / hand.cells).toFixed(2)} LC  ${(arc.rams / hand.rams).toFixed(2)} EBR  ${(arc.clock / hand.clock).toFixed(2)} MHz`,
);
if (values.keep === undefined) rmSync(folder, { recursive: true });
