/** Lays out the extension for VS Code as it is packed: its code in one file, its manifest with arc's version. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const root = path.join(import.meta.dirname, "../..");
const extension = path.join(root, "editors/vscode");

/** Writes into an empty folder; returns the version. */
export async function stageExtension(stage) {
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const manifest = JSON.parse(readFileSync(path.join(extension, "package.json"), "utf8"));
  await build({
    absWorkingDir: root,
    entryPoints: [path.join(extension, "extension.mjs")],
    outfile: path.join(stage, manifest.main),
    bundle: true,
    platform: "node",
    format: "cjs",
    minify: true,
    external: ["vscode"],
  });
  writeFileSync(path.join(stage, "package.json"), JSON.stringify({ ...manifest, version }, null, 2));
  cpSync(path.join(extension, "README.md"), path.join(stage, "README.md"));
  cpSync(path.join(root, "LICENSE"), path.join(stage, "LICENSE"));
  return version;
}
