/** `npm run package:vscode [-- FOLDER]`: the extension for VS Code as a .vsix in release/ or the folder; fetches vsce, which packs it. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";

const root = path.join(import.meta.dirname, "../..");
const extension = path.join(root, "editors/vscode");
const target = path.resolve(process.argv[2] ?? path.join(root, "release"));
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

const stage = mkdtempSync(path.join(tmpdir(), "arc-vscode-"));
try {
  await build({
    absWorkingDir: root,
    entryPoints: [path.join(extension, "extension.mjs")],
    outfile: path.join(stage, "extension.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    minify: true,
    external: ["vscode"],
  });
  const manifest = JSON.parse(readFileSync(path.join(extension, "package.json"), "utf8"));
  writeFileSync(path.join(stage, "package.json"), JSON.stringify({ ...manifest, version }, null, 2));
  cpSync(path.join(extension, "README.md"), path.join(stage, "README.md"));
  cpSync(path.join(root, "LICENSE"), path.join(stage, "LICENSE"));
  mkdirSync(target, { recursive: true });
  const file = path.join(target, `arc-vscode-${version}.vsix`);
  const vsce = ["--yes", "@vscode/vsce@^3", "package", "--no-dependencies", "--allow-missing-repository"];
  const run = spawnSync("npx", [...vsce, "--out", file], { cwd: stage, stdio: ["ignore", 2, 2] });
  if (run.status !== 0) process.exit(1);
  console.log(file);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
