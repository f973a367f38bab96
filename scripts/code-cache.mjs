/**
 * V8's compiled form of arc's scripts: of the functions that a first build and one after a small change call. Another
 * version of Node, or one with other flags of V8, refuses it and compiles as ever.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";

const root = path.join(import.meta.dirname, "..");

/** The launcher's work, and at the end what V8 compiled meanwhile, of the main script and perhaps of the second. */
const driver = `
import { writeFileSync } from "node:fs";
import { compileScript, mainScriptOf, runMainScript } from "./cli/start/scripts.ts";
const [dist, code, secondCode, edited, ...args] = process.argv.slice(2);
const script = compileScript(mainScriptOf(dist), code);
let second;
process.on("exit", (status) => {
  if (status !== 0) return;
  writeFileSync(code, script.createCachedData());
  if (secondCode !== "") writeFileSync(secondCode, second.createCachedData());
});
const { main, mainOnChange } = runMainScript(dist, script, undefined, (file) => (second = compileScript(file)));
const { exit } = process;
// A form that was made under other flags is refused.
require("node:v8").setFlagsFromString = () => {};
(async () => {
  if (secondCode !== "") {
    process.exit = () => {};
    await main(args);
    process.exit = exit;
    writeFileSync(edited, "second");
  }
  await mainOnChange(args);
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
/** A source of it. */
const EDITED = "src/0";

/** Those that lie beside the scripts in `dist`. Returns undefined when they were made, else why not. */
export function writeCodeCaches(dist, options) {
  const modules = readdirSync(dist).find((name) => name.startsWith("modules-"));
  return inProject((folder) =>
    compile(
      folder,
      options,
      [],
      [dist, path.join(dist, "main.code"), path.join(dist, modules, "second.code")],
    ),
  );
}

/**
 * Writes to `output` that of the main script's functions that a build after a change calls, for a Node with `flags`;
 * `options` are those the program was bundled with. Returns undefined when it was made, else why not.
 */
export function writeChangeCode(dist, options, output, flags) {
  return inProject((folder) => {
    const first = runBuild(folder, [path.join(dist, "arc.cjs")]);
    writeFileSync(path.join(folder, "project", EDITED), "second");
    return first ?? compile(folder, options, flags, [dist, output, ""]);
  });
}

async function inProject(use) {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-code-"));
  try {
    const project = path.join(folder, "project");
    mkdirSync(path.join(project, "src"), { recursive: true });
    writeFileSync(path.join(project, "arc.yaml"), JSON.stringify(PROJECT));
    for (let at = 0; at < WIDTH; at += 1) writeFileSync(path.join(project, "src", `${at}`), "first");
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compile(folder, options, flags, args) {
  const program = path.join(folder, "driver.cjs");
  const stdin = { contents: driver, resolveDir: root, sourcefile: "driver.js" };
  await build({ ...options, stdin, outfile: program, format: "cjs", splitting: false, banner: {} });
  return runBuild(folder, [...flags, program, ...args, EDITED]);
}

/** Why it failed, if it did. */
function runBuild(folder, args) {
  const run = spawnSync(process.execPath, [...args, "build", "-j2"], {
    cwd: path.join(folder, "project"),
    env: { ...process.env, ARC_STORE: path.join(folder, "store") },
    encoding: "utf8",
  });
  return run.status === 0 ? undefined : (run.error?.message ?? run.stderr);
}
