/** `npm run package:vscode [-- FOLDER]`: the extension for VS Code as a .vsix in release/ or the folder; fetches vsce, which packs it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stageExtension } from "./vscode-stage.mjs";

const target = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, "../../release"));
const stage = mkdtempSync(path.join(tmpdir(), "arc-vscode-"));
try {
  const version = await stageExtension(stage);
  mkdirSync(target, { recursive: true });
  const file = path.join(target, `arc-vscode-${version}.vsix`);
  const vsce = ["--yes", "@vscode/vsce@^3", "package", "--no-dependencies", "--allow-missing-repository"];
  const run = spawnSync("npx", [...vsce, "--out", file], { cwd: stage, stdio: ["ignore", 2, 2] });
  if (run.status !== 0) process.exit(1);
  console.log(file);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
