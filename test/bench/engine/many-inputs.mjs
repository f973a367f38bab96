/**
 * One action whose inputs are a pattern that matches very many files:
 *
 *   node test/bench/engine/many-inputs.mjs [--files 100000] [--rounds 3] [--arc PATH,PATH]
 *
 * Seconds of processor time (user and system, children included) of `arc build` from nothing, with nothing to do, after
 * an edit of one file, a new file and a removed one; medians. Several arcs take turns.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const PER_FOLDER = 500;

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    arc: { type: "string", default: path.resolve(import.meta.dirname, "../../../bin/arc") },
  },
});
const count = Number(values.files);
const home = mkdtempSync(path.join(tmpdir(), "arc-bench-"));
const fileOf = (at) => `data/d${Math.floor(at / PER_FOLDER)}/f${at}.txt`;

function makeProject(root) {
  for (let at = 0; at < count; at += PER_FOLDER)
    mkdirSync(path.join(root, path.dirname(fileOf(at))), { recursive: true });
  for (let at = 0; at < count; at += 1) writeFileSync(path.join(root, fileOf(at)), `content of ${at}\n`);
  const sum = {
    run: ["sh", "-c", "cat data/d0/* > sum"],
    inputs: ["data/**/*.txt"],
    outputs: ["sum"],
    deterministic: true,
  };
  writeFileSync(path.join(root, "arc.yaml"), JSON.stringify({ arc: 1, project: "many", actions: { sum } }));
}

/** Seconds of processor time of one build. */
function build(program, root) {
  const script = `TIMEFORMAT='%3U %3S'; time ${program} build > out.log 2>&1 || { cat out.log; exit 1; }`;
  const run = spawnSync("bash", ["--norc", "-c", script], {
    cwd: root,
    env: { ...process.env, ARC_STORE: path.join(root, "../store"), BASH_ENV: "" },
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(`${program}: ${run.stdout}${run.stderr}`);
  const [user, system] = run.stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return user + system;
}

const scenarios = {
  "nothing changed": () => {},
  "one file edited": (root, round) => appendFileSync(path.join(root, fileOf(7)), `edit ${round}\n`),
  "a new file": (root, round) => writeFileSync(path.join(root, `data/d1/new${round}.txt`), `new ${round}\n`),
  "a file removed": (root, round) => rmSync(path.join(root, `data/d1/new${round}.txt`)),
};

function median(numbers) {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1];
}

try {
  const projects = values.arc.split(",").map((program, at) => {
    const root = path.join(home, `${at}`, "project");
    makeProject(root);
    return { program, root, times: new Map([["from nothing", [build(program, root)]]]) };
  });
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [name, change] of Object.entries(scenarios)) {
      // What was written before is old enough by now for everybody's time stamps.
      spawnSync("sleep", ["1.2"]);
      for (const { program, root, times } of projects) {
        change(root, round);
        times.set(name, [...(times.get(name) ?? []), build(program, root)]);
      }
    }
  }
  console.log(`${count} files, load ${loadavg()[0].toFixed(1)}`);
  for (const { program, times } of projects) {
    console.log(program);
    for (const [name, seconds] of times) console.log(`  ${name.padEnd(16)}${median(seconds).toFixed(2)} s`);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
