/**
 * `arc explore`'s search beside random choice and NSGA-II, on spaces whose whole front is known: one that is made up,
 * and those that were built exhaustively and recorded beside this file.
 *
 *   node test/bench/explore/run.mjs [FILE.json...]
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const folder = mkdtempSync(path.join(tmpdir(), "arc-explore-"));
const outfile = path.join(folder, "compare.mjs");
const named = process.argv.slice(2);
const tables = readdirSync(here).filter((name) => name.endsWith(".json"));
try {
  await build({
    entryPoints: [path.join(here, "compare.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    loader: { ".v": "text" },
    logLevel: "error",
  });
  const files = named.length > 0 ? named : tables.map((name) => path.join(here, name));
  const { status } = spawnSync(process.execPath, [outfile, ...files], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
