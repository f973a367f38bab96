/**
 * From a save to its translation: `arc watch` on each example, edited so that a kernel changes. Prints the
 * median, the 95th percentile and the worst of the times between the write of the file and the end of the last
 * translation of it for all targets, in ms, and the CPU time in between: on a busy machine that is the figure
 * to go by. The last column is the middle of the first
 * tenth of the edits, when V8 has yet to compile much. Run: node test/bench/watch.mjs [EDITS [EXAMPLE...]]; ARC names another program than bin/arc
 */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const root = path.resolve(import.meta.dirname, "../..");
const [, , count = "40", ...examples] = process.argv;
const edits = Number(count);
const scratch = mkdtempSync(path.join(tmpdir(), "arc-bench-watch-"));

/** Watches that are to end with this program. */
const running = new Set();

/** Another region at the end of the file: its number changes with every edit. */
const region = (number) => `
void bench_region(float *x) {
#pragma acc parallel loop copy(x[0:64])
  for (int i = 0; i < 64; i++) x[i] += ${number};
}
`;

async function measure(example) {
  const folder = path.join(scratch, example);
  cpSync(path.join(root, "examples", example), folder, { recursive: true });
  const yaml = readFileSync(path.join(folder, "arc.yaml"), "utf8");
  const source = /^sources: \[([^\],]+)/m.exec(yaml)?.[1]?.trim();
  if (source === undefined) return undefined;
  const file = path.join(folder, source);
  const before = readFileSync(file, "utf8");
  const env = { ...process.env, ARC_STORE: path.join(scratch, "store") };
  const watch = spawn(process.env.ARC ?? path.join(root, "bin/arc"), ["watch", "--json"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(watch);
  const times = [];
  const burned = [];
  /** Of the watch and the children that it waited for, in ms. */
  const cpu = () => {
    const stat = readFileSync(`/proc/${watch.pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
  };
  let cpuSaved = 0;
  let cpuTranslated = 0;
  let saved = 0;
  let translated = 0;
  let edit = 0;
  for await (const line of createInterface({ input: watch.stdout })) {
    const event = JSON.parse(line);
    const isTranslation = event.type === "done" && event.how === "ran" && /#translate$/.test(event.address);
    if (isTranslation) {
      translated = performance.now();
      cpuTranslated = cpu();
    }
    if (event.type !== "waiting") continue;
    if (saved > 0) {
      if (translated < saved) throw new Error(`${example}: an edit was not translated`);
      times.push(translated - saved);
      burned.push(cpuTranslated - cpuSaved);
    }
    if (edit === edits) break;
    edit += 1;
    // Not in step with anything.
    await new Promise((done) => setTimeout(done, 100 + Math.random() * 100));
    cpuSaved = cpu();
    saved = performance.now();
    writeFileSync(file, before + region(edit));
  }
  await ended(watch);
  running.delete(watch);
  const sorted = (list) => [...list].sort((a, b) => a - b);
  const first = sorted(times.slice(0, Math.ceil(edits / 10)));
  return { times: sorted(times), burned: sorted(burned), first };
}

/** A watch writes to its folder until then. */
function ended(watch) {
  const exit = new Promise((done) => watch.once("exit", done));
  watch.kill("SIGINT");
  return watch.exitCode === null ? exit : undefined;
}

const at = (times, part) => times[Math.min(times.length - 1, Math.floor(times.length * part))].toFixed(0);

console.log(`load ${loadavg()[0].toFixed(1)}, ${edits} edits each, ms from save to translated`);
console.log("example".padEnd(20), "median", "   p95", "   max", "   CPU (median)", " first");
try {
  for (const example of examples.length > 0 ? examples : readdirSync(path.join(root, "examples"))) {
    const measured = await measure(example);
    if (measured === undefined) continue;
    const { times, burned, first } = measured;
    const cells = [at(times, 0.5), at(times, 0.95), at(times, 1), at(burned, 0.5), at(first, 0.5)];
    console.log(example.padEnd(20), ...cells.map((cell, column) => cell.padStart(column === 3 ? 15 : 6)));
  }
} finally {
  await Promise.all([...running].map(ended));
  rmSync(scratch, { recursive: true, force: true });
}
