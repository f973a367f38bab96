/**
 * V8's compiled form of arc's scripts: of the functions that a first build and one after a small change call. Another
 * version of Node, or one with other flags of V8, refuses it and compiles as ever.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";

const root = path.join(import.meta.dirname, "..");

/**
 * Makes calls of arc in one process, as the launcher does after a change if they are `changed`, and at the end writes to
 * `codes` what V8 compiled meanwhile of the scripts.
 */
const driver = `
import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { compileScript, mainScriptOf, runMainScript } from "./cli/start/scripts.ts";
const { dist, codes, calls } = JSON.parse(process.argv[2]);
const scripts = { "main.js": compileScript(mainScriptOf(dist), codes["main.js"]) };
process.on("exit", (status) => {
  if (status !== 0) return;
  for (const [name, code] of Object.entries(codes)) writeFileSync(code, scripts[name].createCachedData());
});
const { main, mainOnChange } = runMainScript(dist, scripts["main.js"], undefined, (file) => {
  const name = basename(file);
  return (scripts[name] = compileScript(file, codes[name]));
});
const { exit } = process;
// A form that was made under other flags is refused.
require("node:v8").setFlagsFromString = () => {};
(async () => {
  process.exit = () => {};
  for (const { args, edits = {}, changed, finds } of calls) {
    for (const [file, text] of Object.entries(edits)) writeFileSync(file, text);
    if (changed) await mainOnChange(args);
    else await main(args);
    if (finds && process.exitCode === 1) process.exitCode = 0;
    if (process.exitCode) break;
  }
  exit(process.exitCode);
})();
`;

/** Layers of which a change does not reach all, and of which it reaches so much that actions are known to be short. */
const LAYERS = 5;
const WIDTH = 5;

function layeredActions() {
  const actions = {};
  for (let layer = 0; layer < LAYERS; layer += 1) {
    for (let at = 0; at < WIDTH; at += 1) {
      const inputs = [at, (at + 1) % WIDTH].map((from) =>
        layer === 0 ? `src/${from}` : `out/${layer - 1}/${from}`,
      );
      const output = `out/${layer}/${at}`;
      const run = ["sh", "-c", `cat ${inputs.join(" ")} > ${output}`];
      actions[`l${layer}_${at}`] = { run, inputs, outputs: [output] };
    }
  }
  return actions;
}

const PROJECT = { arc: 1, project: "small", actions: layeredActions() };
const BUILD = ["build", "-j2"];
/** After it has been built: a build of what an edit reaches. */
const CHANGE = { args: BUILD, edits: { "src/0": "second" }, changed: true };

/** Sources that use what many sources use, in the languages that `arc cc` is called for. */
const SOURCES = path.join(import.meta.dirname, "warm-up");
const sources = () => readdirSync(SOURCES).sort();

/** Compiles each source, as by a makefile. */
const compilations = () =>
  sources().flatMap((file) =>
    [["-acc"], ["-acc", "-fopenmp"], ["-omp"]].map((switches) => ({
      args: ["cc", ...switches, "-O2", "-c", file, "-o", "out.o"],
    })),
  );

/** Checks each source, of which some have findings. */
const checks = () => sources().map((file) => ({ args: ["check", file], finds: true }));

const translations = () =>
  ["opencl", "cuda"].flatMap((kind) =>
    sources().map((file) => ({ args: ["translate", "--to", kind, file] })),
  );

/** Those that lie beside the scripts in `dist`. Returns undefined when they were made, else why not. */
export function writeCodeCaches(dist, options) {
  const modules = readdirSync(dist).find((name) => name.startsWith("modules-"));
  const codes = {
    "main.js": path.join(dist, "main.code"),
    "second.js": path.join(dist, modules, "second.code"),
  };
  const third = { "third.js": path.join(dist, modules, "third.code") };
  return inProject(
    async (folder) =>
      (await compile(folder, options, [], { dist, codes, calls: [{ args: BUILD }, CHANGE] })) ??
      compile(folder, options, [], {
        dist,
        codes: third,
        calls: [...compilations(), ...translations(), ...checks()],
      }),
  );
}

/**
 * Writes to `output` that of the main script's functions that a build after a change calls, for a Node with `flags`;
 * `options` are those the program was bundled with. Returns undefined when it was made, else why not.
 */
export function writeChangeCode(dist, options, output, flags) {
  const plan = { dist, codes: { "main.js": output }, calls: [CHANGE] };
  return inProject(
    (folder) =>
      runArc(folder, [path.join(dist, "arc.cjs"), ...BUILD]) ?? compile(folder, options, flags, plan),
  );
}

/** The same of all scripts' functions that `arc cc` and `arc check` call; `outputs` by the scripts' names. */
export function writeCompilerCode(dist, options, outputs, flags) {
  return inProject((folder) =>
    compile(folder, options, flags, { dist, codes: outputs, calls: [...compilations(), ...checks()] }),
  );
}

async function inProject(use) {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-code-"));
  try {
    const project = path.join(folder, "project");
    mkdirSync(path.join(project, "src"), { recursive: true });
    writeFileSync(path.join(project, "arc.yaml"), JSON.stringify(PROJECT));
    for (let at = 0; at < WIDTH; at += 1) writeFileSync(path.join(project, "src", `${at}`), "first");
    cpSync(SOURCES, project, { recursive: true });
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compile(folder, options, flags, plan) {
  const program = path.join(folder, "driver.cjs");
  const stdin = { contents: driver, resolveDir: root, sourcefile: "driver.js" };
  await build({ ...options, stdin, outfile: program, format: "cjs", splitting: false, banner: {} });
  return runArc(folder, [...flags, program, JSON.stringify(plan)]);
}

/** Why it failed, if it did. */
function runArc(folder, args) {
  const run = spawnSync(process.execPath, args, {
    cwd: path.join(folder, "project"),
    env: { ...process.env, ARC_STORE: path.join(folder, "store") },
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return run.status === 0 ? undefined : (run.error?.message ?? run.stderr);
}
