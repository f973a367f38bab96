/**
 * `arc explore`'s search beside random choice and NSGA-II, on spaces whose whole front is known: one that is made up,
 * those that were built exhaustively and recorded beside this file, and published measurements.
 *
 *   node test/bench/explore/run.mjs [--write] [FILE.json...]
 *
 * --write puts the tables into docs/variants.md.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { writeMade } from "../../../scripts/made-parts.mjs";

const here = import.meta.dirname;
const folder = mkdtempSync(path.join(tmpdir(), "arc-explore-"));
const outfile = path.join(folder, "compare.mjs");
const isWritten = process.argv.includes("--write");
const named = process.argv.slice(2).filter((word) => word !== "--write");
/** The published tables read programs beside them, which the bundle is not. */
const inItsFolder = {
  name: "in-its-folder",
  setup: (made) =>
    made.onLoad({ filter: /[/\\]published\.ts$/ }, ({ path: file }) => ({
      loader: "ts",
      contents: readFileSync(file, "utf8").replaceAll(
        "import.meta.dirname",
        JSON.stringify(path.dirname(file)),
      ),
    })),
};
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
    plugins: [inItsFolder],
  });
  const files = named.length > 0 ? named : tables.map((name) => path.join(here, name));
  const { status, stdout } = spawnSync(process.execPath, [outfile, ...files], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (isWritten && status === 0) writeMade("node test/bench/explore/run.mjs --write", `${stdout.trim()}\n`);
  else process.stdout.write(stdout);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
