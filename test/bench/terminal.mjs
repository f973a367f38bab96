/**
 * The terminal that answers: ms from the start of the first action to the first frame on the screen, arc's own processor time
 * while actions sleep (share of one core) with the screen and piped, where only the engine works, and how far the time left, as
 * the screen shows it after a third of the time, is from the truth in a project that was built once before. Actions sleep for 0.1 to 2 s in chains of 1 to 6, four at a time.
 * Run: node test/bench/terminal.mjs [RUNS]; ARC names another program than bin/arc
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";

const root = path.resolve(import.meta.dirname, "../..");
const arc = process.env.ARC ?? path.join(root, "bin/arc");
const runs = Number(process.argv[2] ?? "5");
const scratch = mkdtempSync(path.join(tmpdir(), "arc-bench-terminal-"));

/** Numbers from 0 to 1, the same in every run of one seed (Park and Miller's generator). */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** `edit` changes every action's key, so that all run again, as long as before. */
function write(folder, seed, edit) {
  const next = numbers(seed * 7919);
  const actions = [];
  for (let chain = 0; chain < 16; chain++) {
    const length = 1 + Math.floor(next() * 6);
    for (let i = 0; i < length; i++) {
      const seconds = (0.1 + next() * 1.9).toFixed(2);
      const inputs = i === 0 ? "" : `inputs: [s${chain}_${i - 1}.txt], `;
      const command = `date +%s%N > s${chain}_${i}.txt; sleep ${seconds}; : ${edit}`;
      actions.push(
        `  s${chain}_${i}: { run: [sh, -c, "${command}"], ${inputs}outputs: [s${chain}_${i}.txt] }`,
      );
    }
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "arc.yaml"), `arc: 1\nproject: sleeps\nactions:\n${actions.join("\n")}\n`);
}

/** User and system time of the process called node below `pid`, in s, as far as it came. */
function processorSeconds(pid) {
  const children = (of) => {
    try {
      return readFileSync(`/proc/${of}/task/${of}/children`, "latin1").trim().split(" ").filter(Boolean);
    } catch {
      return [];
    }
  };
  const waiting = [String(pid)];
  for (const one of waiting) {
    try {
      const stat = readFileSync(`/proc/${one}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const command = readFileSync(`/proc/${one}/cmdline`, "latin1");
      if (command.includes("arc.cjs")) return (Number(fields[11]) + Number(fields[12])) / 100;
    } catch {
      // It has ended.
    }
    waiting.push(...children(one));
  }
  return undefined;
}

/** `about 1:05 left` or `about 7 s left`. */
function secondsShown(text) {
  const [, clock] = [...text.matchAll(/about ([\d:]+)(?: s)? left/g)].at(-1) ?? [];
  return clock?.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

async function build(folder, isPiped = false) {
  const env = { ...process.env, ARC_STORE: path.join(folder, ".store"), TERM: "xterm-256color" };
  for (const name of ["CI", "NO_COLOR", "CONTINUOUS_INTEGRATION"]) delete env[name];
  const command = `stty cols 100 rows 40; ${arc} build -j 4${isPiped ? " 2>&1 | cat" : ""}`;
  const terminal = spawn("script", ["-qfec", command, "/dev/null"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const begun = performance.timeOrigin + performance.now();
  const shown = [];
  let first;
  const burned = [];
  const watch = setInterval(() => {
    const seconds = processorSeconds(terminal.pid);
    if (seconds !== undefined) burned.push([performance.now(), seconds]);
  }, 250);
  terminal.stdout.on("data", (data) => {
    const at = performance.timeOrigin + performance.now();
    const text = data.toString();
    if (text.includes("s0_0") || /running|building/i.test(text)) first ??= at;
    const left = secondsShown(text);
    if (left !== undefined) shown.push([at, left]);
  });
  await new Promise((done) => terminal.on("exit", done));
  clearInterval(watch);
  const ended = performance.timeOrigin + performance.now();
  const started = Math.min(
    ...readdirSync(folder)
      .filter((name) => name.endsWith(".txt"))
      .map((name) => Number(readFileSync(path.join(folder, name), "utf8")) / 1e6),
  );
  const third = begun + (ended - begun) / 3;
  const said = shown.filter(([at]) => at <= third).at(-1);
  // Its start is not the screen's: what follows the first second counts.
  const steady = burned.filter(([at]) => at > (burned[0]?.[0] ?? 0) + 1000);
  const [a, z] = [steady[0], steady.at(-1)];
  return {
    paint: first - started,
    share: a && z && z[0] > a[0] ? ((z[1] - a[1]) * 1000) / (z[0] - a[0]) : Number.NaN,
    error: said ? said[1] - (ended - said[0]) / 1000 : Number.NaN,
    left: said ? (ended - said[0]) / 1000 : Number.NaN,
    whole: (ended - begun) / 1000,
  };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const all = [];
try {
  console.log(
    "seed  first frame (ms)  processor (%)  piped (%)  left after a third (s): shown, true   off by",
  );
  for (let seed = 1; seed <= runs; seed++) {
    const folder = path.join(scratch, String(seed));
    write(folder, seed, "first");
    await build(folder);
    write(folder, seed, "second");
    const one = await build(folder);
    write(folder, seed, "third");
    one.engine = (await build(folder, true)).share;
    all.push(one);
    const off = Math.abs(one.error / one.left);
    console.log(
      `${String(seed).padStart(4)}  ${one.paint.toFixed(0).padStart(16)}  ${(one.share * 100).toFixed(1).padStart(13)}  ` +
        `${(one.engine * 100).toFixed(1).padStart(9)}  ${(one.left + one.error).toFixed(0).padStart(30)}, ${one.left.toFixed(1).padStart(4)}  ${(off * 100).toFixed(0).padStart(6)} %`,
    );
  }
  console.log(
    `median: first frame ${median(all.map((o) => o.paint)).toFixed(0)} ms, processor ${(median(all.map((o) => o.share)) * 100).toFixed(1)} % (piped ${(median(all.map((o) => o.engine)) * 100).toFixed(1)} %), ` +
      `time left off by ${(median(all.map((o) => Math.abs(o.error / o.left))) * 100).toFixed(0)} %`,
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
