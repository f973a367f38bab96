/**
 * A snapshot of Node's memory with the main script in it, from which the native launcher starts a build after a small
 * change: neither Node nor arc is put together anew then, and what such a build calls of arc is compiled already.
 * Whatever the launcher finds to be otherwise than when it was made (snapshot_identity in launcher.c) starts Node as ever.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { writeChangeCode } from "./code-cache.mjs";

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
export const snapshotFlags = (without = []) => [...start, ...(without.includes("v8-flags") ? [] : briefly)];

const driver = `
import { createRequire } from "node:module";
import { startupSnapshot } from "node:v8";
import { compileScript, mainScriptOf, runMainScript } from "./cli/start/scripts.ts";
const [dist, code] = process.argv.slice(2);
const require = createRequire(dist + "/arc.cjs");
const load = (name) => require("./import.cjs")(name);
const { mainOnChange } = runMainScript(dist, compileScript(mainScriptOf(dist), code), load);
startupSnapshot.setDeserializeMainFunction(() => {
  const handed = process.env.ARC_CHECKED;
  delete process.env.ARC_CHECKED;
  mainOnChange(process.argv.slice(2), handed);
});
`;

/** Whether arc comes as far as to say what is wrong with a call. */
function starts(snapshot, script, flags) {
  const args = [...flags, "--snapshot-blob", snapshot, script, "build", "--no-such-option"];
  return spawnSync("node", args).status === 2;
}

/**
 * `options` are those the program was bundled with, `without` the parts that are left out. Returns undefined when it was
 * made, else why not.
 */
export async function writeSnapshot(dist, options, without) {
  const flags = snapshotFlags(without);
  const launcher = path.join(dist, "launcher");
  const script = path.join(dist, "arc.cjs");
  const snapshot = path.join(dist, "arc.snapshot");
  const identify = spawnSync(launcher, ["--identify", script], { encoding: "utf8" });
  if (identify.status !== 0) return "there is no native launcher that could start from it";
  const folder = mkdtempSync(path.join(tmpdir(), "arc-snapshot-"));
  try {
    const code = path.join(folder, "code");
    const noCode = await writeChangeCode(dist, options, code, flags);
    if (noCode !== undefined) return noCode;
    const program = path.join(folder, "driver.cjs");
    const stdin = { contents: driver, resolveDir: root, sourcefile: "driver.js" };
    await build({ ...options, stdin, outfile: program, format: "cjs", splitting: false, banner: {} });
    // Code from a snapshot cannot import.
    writeFileSync(path.join(dist, "import.cjs"), "module.exports = (name) => import(name);\n");
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
      code,
    ];
    const run = spawnSync("node", args, { env: { ...process.env, ARC_NATIVE: "0" }, encoding: "utf8" });
    if (run.status !== 0) return run.error?.message ?? run.stderr;
    if (!starts(made, script, flags)) return "Node does not start from it";
    cpSync(made, snapshot);
    // Last, so that it is there for a whole one only.
    writeFileSync(`${snapshot}.id`, identify.stdout);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
