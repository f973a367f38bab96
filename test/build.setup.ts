/** Tests of the command line run what users run: the bundle. They share a store for what all of them need. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { quickPocl } from "./pocl.setup.ts";

const root = path.resolve(import.meta.dirname, "..");

export default function setup(): () => void {
  buildIfChanged();
  const vendors = quickPocl();
  if (vendors !== undefined) process.env.OCL_ICD_VENDORS = vendors;
  // What many runs use.
  process.env.ARC_TEST_CACHE = tmpdir();
  // What tests leave behind goes with this folder.
  const folder = mkdtempSync(path.join(tmpdir(), "arc-tests-"));
  // Some tests run programs as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.env.ARC_TEST_STORE = path.join(folder, "store");
  mkdirSync(process.env.ARC_TEST_STORE);
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A build takes longer than most files of tests. */
function buildIfChanged(): void {
  // In the folder that every build makes anew, so that it is about the build that is there.
  const note = path.join(root, "dist/made-of");
  const sources = digestOfSources();
  if (readIfThere(note) === sources) return;
  execFileSync(process.execPath, [path.join(root, "build.mjs")], { stdio: "inherit" });
  writeFileSync(note, sources);
}

/** Of names, sizes and times of all that a bundle is made of. */
function digestOfSources(): string {
  const hash = createHash("sha256");
  const single = ["build.mjs", "package.json", "package-lock.json", "node_modules/.package-lock.json"];
  const folders = ["cli", "core", "rules", "schema", "targets", "scripts"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .sort()
      .map((file) => path.join(folder, file)),
  );
  for (const file of [...single, ...folders]) {
    const stats = statSync(path.join(root, file), { throwIfNoEntry: false });
    if (stats === undefined || stats.isFile()) hash.update(`${file} ${stats?.size} ${stats?.mtimeMs}\n`);
  }
  return hash.digest("hex");
}

function readIfThere(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false }) && readFileSync(file, "utf8");
}
