/**
 * Snapshots of Node's memory with arc in it, from which the native launcher starts what is short and often called: one
 * with the main script for a build after a small change, one with all scripts for `arc cc` and `arc check`. Neither Node nor arc is put
 * together anew then, and what such a call runs of arc is compiled already. Whatever the launcher finds to be otherwise
 * than when they were made (snapshot_identity in launcher.c) starts Node as ever.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { writeChangeCode, writeCompilerCode } from "./code-cache.mjs";
import { withoutCompiledModules } from "./compiled-modules.mjs";

const root = path.join(import.meta.dirname, "..");

/**
 * Node would fill its tables anew for a seed of its own, against who makes their keys collide: a fifth of its start,
 * for a program that reads what is its user's. Nor does it read all of the snapshot once more for its checksum.
 */
const start = ["--no-rehash-snapshot", "--no-verify-snapshot-checksum"];
/**
 * A small build is over before more would pay: V8 notes from a function's first call on what it meets there, where it
 * would look that up some ten times before, optimises only what is called eight times as much as by default, and
 * collects nothing before 16 MB are full. One thread is enough for what it leaves to others.
 */
const briefly = [
  "--no-lazy-feedback-allocation",
  "--interrupt-budget=540672",
  "--min-semi-space-size=16",
  "--v8-pool-size=1",
];
/**
 * Nearly all that a compilation makes is trees, which live as long as it does. V8 lowers the least size of the young
 * generation to the greatest, so both are said.
 */
const compiling = [
  ...briefly.filter((flag) => !flag.startsWith("--min-semi")),
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
];
const flagsFor = (flags, without) => [...start, ...(without.includes("v8-flags") ? [] : flags)];

/** Node's flags by snapshot, as the launcher gives them. */
export const snapshotFlags = (without = []) => ({
  arc: flagsFor(briefly, without),
  cc: flagsFor(compiling, without),
});

/**
 * What is run to make one: arc starts as `start` says, with the scripts whose compiled forms are named. `calls`: Node's
 * functions are compiled in it, too.
 */
const driverOf = (start, calls) => `
import { createRequire } from "node:module";
import { basename } from "node:path";
import { startupSnapshot } from "node:v8";
import { compileScript, laterScripts, mainScriptOf, runMainScript } from "./cli/start/scripts.ts";
import { callNodeFunctions } from "./scripts/node-functions.mjs";
const [dist, ...names] = process.argv.slice(2);
const codes = new Map(["main.js", ...laterScripts].map((script, at) => [script, names[at]]));
const require = createRequire(dist + "/arc.cjs");
const load = (name) => require("./import.cjs")(name);
const compile = (file) => compileScript(file, codes.get(basename(file)));
const arc = runMainScript(dist, compile(mainScriptOf(dist)), load, compile);
${calls ? "callNodeFunctions();" : ""}
${start}
`;

/** Of each snapshot: how arc starts from it, what makes the compiled forms of its scripts, and a call that it refuses. */
const snapshots = {
  arc: {
    start: `
      startupSnapshot.setDeserializeMainFunction(() => {
        const handed = process.env.ARC_CHECKED;
        delete process.env.ARC_CHECKED;
        arc.mainOnChange(process.argv.slice(2), handed);
      });`,
    scripts: ["main.js"],
    writeCode: (dist, options, codes, flags) => writeChangeCode(dist, options, codes["main.js"], flags),
    refused: ["build", "--no-such-option"],
  },
  cc: {
    start: `
      for (const script of laterScripts) globalThis[Symbol.for("arc.load")](script);
      startupSnapshot.setDeserializeMainFunction(() => arc.mainOnChange(process.argv.slice(2)));`,
    scripts: ["main.js", "second.js", "third.js"],
    writeCode: writeCompilerCode,
    refused: ["cc", "-acc", "-target", "no-such-kind", "none.c"],
  },
};

/** Whether arc comes as far as to say what is wrong with a call. */
function starts(snapshot, script, flags, call) {
  return spawnSync("node", [...flags, "--snapshot-blob", snapshot, script, ...call]).status === 2;
}

/**
 * `options` are those the program was bundled with, `without` the parts that are left out. Returns undefined when they
 * were made, else why not.
 */
export async function writeSnapshots(dist, options, without) {
  const flags = snapshotFlags(without);
  const script = path.join(dist, "arc.cjs");
  const identify = spawnSync(path.join(dist, "launcher"), ["--identify", script], { encoding: "utf8" });
  if (identify.status !== 0) return "there is no native launcher that could start from it";
  // Code from a snapshot cannot import.
  writeFileSync(path.join(dist, "import.cjs"), "module.exports = (name) => import(name);\n");
  for (const [name, snapshot] of Object.entries(snapshots)) {
    const failed = await writeSnapshot(
      dist,
      options,
      flags[name],
      path.join(dist, `${name}.snapshot`),
      snapshot,
      without,
    );
    if (failed !== undefined) return failed;
    // Last, so that it is there for a whole one only.
    writeFileSync(path.join(dist, `${name}.snapshot.id`), identify.stdout);
  }
  return undefined;
}

async function writeSnapshot(dist, options, flags, output, { start, scripts, writeCode, refused }, without) {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-snapshot-"));
  try {
    const codes = Object.fromEntries(scripts.map((name) => [name, path.join(folder, `${name}.code`)]));
    const noCode = await writeCode(dist, options, codes, flags);
    if (noCode !== undefined) return noCode;
    const program = path.join(folder, "driver.cjs");
    const stdin = {
      contents: driverOf(start, !without.includes("node-functions")),
      resolveDir: root,
      sourcefile: "driver.js",
    };
    await build({ ...options, stdin, outfile: program, format: "cjs", splitting: false, banner: {} });
    const made = path.join(folder, "snapshot");
    // Warnings would leave a stream of the builder's terminal in it; so would the native part the library's memory.
    const args = [
      "--no-warnings",
      ...flags,
      "--snapshot-blob",
      made,
      "--build-snapshot",
      program,
      realpathSync(dist),
      ...Object.values(codes),
    ];
    const run = spawnSync("node", args, { env: { ...process.env, ARC_NATIVE: "0" }, encoding: "utf8" });
    if (run.status !== 0) return run.error?.message ?? run.stderr;
    const smaller = path.join(folder, "smaller");
    const cut = without.includes("node-modules") ? undefined : withoutCompiledModules(readFileSync(made));
    writeFileSync(smaller, cut ?? "");
    const starting = [smaller, made].find((file) => starts(file, path.join(dist, "arc.cjs"), flags, refused));
    if (starting === undefined) return "Node does not start from it";
    cpSync(starting, output);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
