/** Tests of the command line run what users run: the bundle. They share a store for what all of them need. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isMadeOfSources } from "../scripts/made-of.mjs";
import { quickPocl } from "./pocl.setup.ts";

const root = path.resolve(import.meta.dirname, "..");

/** A number that is another one for each commit; 0 outside of a repository. */
function turnOf(folder: string): number {
  try {
    const head = execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return Number.parseInt(head.toString().slice(0, 8), 16);
  } catch {
    return 0;
  }
}

export default function setup(): () => void {
  if (!isMadeOfSources(root))
    execFileSync(process.execPath, [path.join(root, "build.mjs")], { stdio: "inherit" });
  const vendors = quickPocl();
  if (vendors !== undefined) process.env.OCL_ICD_VENDORS = vendors;
  process.env.ARC_TURN ??= String(turnOf(root));
  console.log(`samples: ARC_TURN=${process.env.ARC_TURN}`);
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
