/**
 * What users wait for at `arc check`: `node test/bench/check/run.mjs [-n ROUNDS]`. A source of a thousand lines, and a
 * hundred of 500 lines, with stdio, stdlib and math. They are new in each round, but the store knows the compiler. Of each,
 * medians of the time that passes and of the time of all processors (user and system, children included), in ms.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { usual } from "./usual.mjs";

const root = path.resolve(import.meta.dirname, "../../..");
const { values } = parseArgs({ options: { rounds: { type: "string", short: "n", default: "5" } } });
const rounds = Number(values.rounds);
const folder = mkdtempSync(path.join(tmpdir(), "arc-bench-check-"));
const headers = ["stdio", "stdlib", "math"].map((name) => `#include <${name}.h>`);

/** bash tells the time of a command and of its children. */
function time(command) {
  const quoted = command.map((word) => `'${word}'`).join(" ");
  const { status, stderr } = spawnSync("bash", ["-c", `TIMEFORMAT='%R %U %S'; time ${quoted}`], {
    cwd: folder,
    env: { ...process.env, ARC_STORE: path.join(folder, "store") },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
  const [wall, user, system] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return { wall: wall * 1000, cpu: (user + system) * 1000 };
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

try {
  let edits = 0;
  for (const [name, count, lines] of [
    ["a file of 1000 lines", 1, 1000],
    ["100 files of 500 lines", 100, 500],
  ]) {
    const times = [];
    // The first fills the store.
    for (let round = 0; round <= rounds; round++) {
      const files = Array.from({ length: count }, (_, k) => `${k}.c`);
      for (const file of files)
        writeFileSync(path.join(folder, file), `int edit_${++edits};\n${usual(lines, headers)}\n`);
      const taken = time([path.join(root, "bin/arc"), "check", ...files]);
      if (round > 0) times.push(taken);
    }
    const [wall, cpu] = ["wall", "cpu"].map((what) => median(times.map((taken) => taken[what])).toFixed(0));
    console.log(`${name}: wall ${wall}, CPU ${cpu}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
