/**
 * V8's compiled form of the main script: of the functions that a build after a small change calls, which is the build
 * whose start-up is felt most. Another version of Node, or one with other flags of V8, refuses it and compiles as ever.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";

const root = path.join(import.meta.dirname, "..");

/** The launcher's work, and at the end what V8 compiled meanwhile. */
const driver = `
import { writeFileSync } from "node:fs";
import { compileMainScript, runMainScript } from "./cli/main-script.ts";
const [dist, output, ...args] = process.argv.slice(2);
const script = compileMainScript(dist, output);
process.on("exit", (status) => {
  if (status === 0) writeFileSync(output, script.createCachedData());
});
runMainScript(dist, script).mainOnChange(args);
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

const project = { arc: 1, project: "small", actions: layeredActions() };

/**
 * Writes it to `output`, for a Node with `flags`. `options` are those the program was bundled with. Returns undefined
 * when it was made, else why not.
 */
export async function writeCodeCache(dist, options, output, flags = []) {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-code-"));
  try {
    const program = path.join(folder, "driver.cjs");
    const stdin = { contents: driver, resolveDir: root, sourcefile: "driver.js" };
    await build({ ...options, stdin, outfile: program, format: "cjs", splitting: false, banner: {} });
    const cwd = path.join(folder, "project");
    mkdirSync(path.join(cwd, "src"), { recursive: true });
    writeFileSync(path.join(cwd, "arc.yaml"), JSON.stringify(project));
    for (let at = 0; at < WIDTH; at += 1) writeFileSync(path.join(cwd, "src", `${at}`), "first");
    const env = { ...process.env, ARC_STORE: path.join(folder, "store") };
    let why;
    for (const file of [[path.join(dist, "arc.cjs")], [...flags, program, dist, output]]) {
      const run = spawnSync(process.execPath, [...file, "build", "-j2"], { cwd, env, encoding: "utf8" });
      if (run.status !== 0) why = run.error?.message ?? run.stderr;
      writeFileSync(path.join(cwd, "src/0"), "second");
    }
    return why;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
