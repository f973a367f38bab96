/** The extension for VS Code, as it is packed, loaded by a stand-in for the editor: its client starts arc's server and shows what it finds. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stageExtension } from "../../../scripts/package/vscode-stage.mjs";
import { arcProgram } from "../rig.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-extension-"));
let manifest: { main: string; engines: { vscode: string }; activationEvents: string[]; version: string };

beforeAll(async () => {
  await stageExtension(folder);
  manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (arc: string, version: string): string =>
  execFileSync(
    process.execPath,
    [path.join(import.meta.dirname, "editor-stand-in.cjs"), path.join(folder, manifest.main), folder],
    {
      encoding: "utf8",
      env: { ...process.env, ARC: arc, EDITOR_VERSION: version, ARC_STORE: path.join(folder, "store") },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 60_000,
    },
  );

it("is activated by C files and by arc.yaml, starts in the oldest editor that it takes, and ends its server", () => {
  expect(manifest.activationEvents).toEqual(["onLanguage:c", "workspaceContains:**/arc.yaml"]);
  const said = load(arcProgram, manifest.engines.vscode.replace("^", ""));
  expect(said).toMatch(/^shown: 'lop' is not a clause of 'parallel'\n[\s\S]*\nended\n$/);
});

it("says so where there is no arc", () => {
  expect(() => load(path.join(folder, "no-arc"), "1.99.0")).toThrow(
    expect.objectContaining({ stdout: expect.stringMatching(/^error: [\s\S]*no-arc ENOENT/) }),
  );
});
