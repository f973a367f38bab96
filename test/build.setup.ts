/** Tests of the command line run what users run: the bundle. They share a store for what all of them need. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export default function setup(): () => void {
  const root = path.resolve(import.meta.dirname, "..");
  execFileSync(process.execPath, [path.join(root, "build.mjs")], { stdio: "inherit" });
  const store = mkdtempSync(path.join(tmpdir(), "arc-test-store-"));
  process.env.ARC_TEST_STORE = store;
  return () => rmSync(store, { recursive: true, force: true });
}
